#if !canImport(Darwin)
import StandInUIKit
import TaskKit
import TaskKitTesting
import Testing

private final class AppDelegate: TaskApplicationDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
}

private final class SceneDelegate: TaskSceneDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
}

/// What is begun when an app leaves the foreground has the time that UIKit gives.
@MainActor
@Suite struct UIKitBackgroundTests {
  /// Whether the app has scenes.
  enum Form: CaseIterable, Sendable { case app, scene }

  private let application = UIApplication()
  private let gate = Gate()
  private let notes = Recorder()

  /// Launches an app and lets it go to the background, with a task that waits at the gate until it is cancelled.
  private func leave(_ form: Form) async throws -> TaskCenter {
    let center = try TaskCenter.with([
      .event(.didEnterBackground, name: "save") { [gate, notes] _ in
        do { try await gate.passUnlessCancelled() } catch {
          notes.note("cancelled")
          throw error
        }
        notes.note("saved")
      }
    ])
    leave(form, center)
    await gate.arrivals()
    return center
  }

  private func leave(_ form: Form, _ center: TaskCenter) {
    TestCenter.$current.withValue(center) {
      let delegate = AppDelegate()
      _ = delegate.application(application, willFinishLaunchingWithOptions: nil)
      switch form {
      case .app:
        delegate.applicationWillResignActive(application)
        delegate.applicationDidEnterBackground(application)
      case .scene:
        let scene = UIWindowScene(session: UISceneSession(persistentIdentifier: "one"))
        let delegate = SceneDelegate()
        for step in SceneStep.life { step.happen(to: scene, toldTo: delegate) }
      }
    }
  }

  @Test(arguments: Form.allCases)
  func `what is still at work when the app is left has the system's time until it has ended, Bw16`(_ form: Form)
    async throws
  {
    _ = try await leave(form)
    #expect(application.openNames == ["TaskKit didEnterBackground"])
    gate.open()
    var ended = application.ended.makeAsyncIterator()
    #expect(await ended.next() == "TaskKit didEnterBackground")
    #expect(application.openNames == [])
    #expect(notes.notes == ["saved"])
  }

  @Test(arguments: Form.allCases)
  func `when the system's time is over what is still at work is cancelled, and the time is given back at once, Bw16`(
    _ form: Form
  ) async throws {
    let center = try await leave(form)
    application.expire()
    #expect(application.openNames == [])
    #expect(await notes.notes(1) == ["cancelled"])
    // The report comes then, and gives nothing back a second time.
    await center.quiet()
    await Task.yield()
    #expect(application.begunCount == 1)
  }

  @Test(arguments: Form.allCases)
  func `no time is asked for where nothing is left to do when the callback returns`(_ form: Form) throws {
    let center = try TaskCenter.with([
      .event(.didEnterBackground, name: "save") { @MainActor [notes] _ in notes.note("saved") }
    ])
    leave(form, center)
    #expect(notes.notes == ["saved"])
    #expect(application.begunCount == 0)
  }

  @Test(arguments: Form.allCases)
  func `what is still at work from the step before has time as well`(_ form: Form) async throws {
    let center = try TaskCenter.with([
      .event(.willResignActive, name: "save") { [gate] _ in await gate.pass() },
      .event(.didEnterBackground, name: "left") { @MainActor [notes] _ in notes.note("left") },
    ])
    leave(form, center)
    #expect(notes.notes == ["left"])
    #expect(application.openNames == ["TaskKit willResignActive"])
    gate.open()
    var ended = application.ended.makeAsyncIterator()
    #expect(await ended.next() == "TaskKit willResignActive")
    #expect(application.openNames == [])
  }

  @Test func `the tasks of a scene that is left have time as well, while others are open`() async throws {
    let center = try TaskCenter.with([
      .event(.sceneDidEnterBackground, name: "save") { [gate] _ in await gate.pass() }
    ])
    TestCenter.$current.withValue(center) {
      _ = AppDelegate().application(application, willFinishLaunchingWithOptions: nil)
      let delegates = (SceneDelegate(), SceneDelegate())
      let scenes = ["one", "two"].map { UIWindowScene(session: UISceneSession(persistentIdentifier: $0)) }
      for step in SceneStep.life.dropLast(2) {
        step.happen(to: scenes[0], toldTo: delegates.0)
        step.happen(to: scenes[1], toldTo: delegates.1)
      }
      for step in SceneStep.life.dropFirst(2) { step.happen(to: scenes[0], toldTo: delegates.0) }
    }
    #expect(application.openNames == ["TaskKit sceneDidEnterBackground"])
    gate.open()
    var ended = application.ended.makeAsyncIterator()
    #expect(await ended.next() == "TaskKit sceneDidEnterBackground")
  }

  @Test(arguments: Form.allCases)
  func `where the system gives no time the tasks go on as long as it lets them`(_ form: Form) async throws {
    application.setGivesTime(false)
    let center = try await leave(form)
    #expect(application.openNames == [])
    gate.open()
    await center.quiet()
    #expect(notes.notes == ["saved"])
  }
}
#endif
