#if !canImport(Darwin)
import Foundation
import StandInSwiftUI
import TaskKit
import TaskKitTesting
import Testing

/// The modifier for SwiftUI's scenes.
@MainActor
@Suite struct SwiftUITests {
  private func center(_ notes: Recorder, url: Bool = true) throws -> TaskCenter {
    let program: [LifecycleEvent<Void, Void>] = [
      .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
    ]
    let center = try TaskCenter.with(
      program.map { event in .event(event, name: TaskName(event.name)) { @MainActor _ in notes.note(event.name) } })
    if url {
      try center.inject([
        .event(.openURL, name: "url") { @MainActor in notes.note("\($0.payload.url) \($0.payload.scene != nil)") },
        .event(.continueUserActivity, name: "activity") { @MainActor in
          notes.note("\($0.payload.type) \($0.payload.userInfo)")
        },
      ])
    }
    return center
  }

  @Test func `the phases of all scenes together are the program's`() throws {
    let notes = Recorder()
    let center = try center(notes)
    let (one, two) = (StandInScene(), StandInScene())
    func show(_ scene: StandInScene, _ phase: ScenePhase) {
      scene.show(EmptyView().sendsLifecycle(to: center), in: phase)
    }
    show(one, .inactive)
    show(one, .active)
    show(one, .active)
    show(two, .active)
    show(one, .background)
    show(two, .inactive)
    show(two, .background)
    #expect(
      notes.notes == ["willEnterForeground", "didBecomeActive", "willResignActive", "didEnterBackground"])
  }

  @Test func `what is still at work when a scene is left has the time that the app's delegate has brought`()
    async throws
  {
    let (notes, gate) = (Recorder(), Gate())
    let center = try TaskCenter.with([.event(.didEnterBackground, name: "save") { _ in await gate.pass() }])
    let source = BackgroundTimeSource { name, _ in
      notes.note(name)
      return { notes.note("given back") }
    }
    source.serve(center)
    let scene = StandInScene()
    for phase in [ScenePhase.active, .background] {
      scene.show(EmptyView().sendsLifecycle(to: center), in: phase)
    }
    #expect(notes.notes == ["TaskKit didEnterBackground"])
    gate.open()
    #expect(await notes.notes(2) == ["TaskKit didEnterBackground", "given back"])
  }

  @Test func `each scene has events of its own, under one name for its life`() throws {
    let scenes = Values<SceneIdentifier>()
    let center = try TaskCenter.with([
      .event(.sceneDidBecomeActive, name: "active") { @MainActor in scenes.append($0.payload) },
      .event(.sceneDidEnterBackground, name: "background") { @MainActor in scenes.append($0.payload) },
    ])
    let (one, two) = (StandInScene(), StandInScene())
    for phase in [ScenePhase.active, .background] {
      one.show(EmptyView().sendsLifecycle(to: center), in: phase)
      two.show(EmptyView().sendsLifecycle(to: center), in: phase)
    }
    #expect(scenes.values.count == 4)
    #expect(scenes.values[0] == scenes.values[2] && scenes.values[1] == scenes.values[3])
    #expect(scenes.values[0] != scenes.values[1])
  }

  @Test func `URLs and activities are taken where a task wants them, as it was when the view appeared`() throws {
    let notes = Recorder()
    let center = try center(notes)
    let scene = StandInScene()
    let view = EmptyView().sendsLifecycle(to: center, activities: ["read", "write"])
    scene.show(view, in: .background)
    #expect(scene.urlHandlers.count == 1)
    #expect(scene.activityHandlers.keys.sorted() == ["read", "write"])
    scene.urlHandlers[0](URL(string: "app:a")!)
    let activity = StandInSwiftUI.NSUserActivity(activityType: "read")
    activity.userInfo = ["page": 1]
    scene.activityHandlers["read"]?(activity)
    #expect(notes.notes == ["app:a true", #"read ["page": TaskKit.PropertyValue.integer(1)]"#])

    let without = try self.center(notes, url: false)
    let other = StandInScene()
    other.show(EmptyView().sendsLifecycle(to: without, activities: ["read"]), in: .background)
    try without.inject(.event(.openURL, name: "url") { _ in })
    other.show(EmptyView().sendsLifecycle(to: without, activities: ["read"]), in: .active)
    #expect(other.urlHandlers.isEmpty && other.activityHandlers.isEmpty)
  }
}
#endif
