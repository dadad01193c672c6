public import Foundation
public import TaskKit

/// A course of a program's life, as the input of a test.
///
/// ```swift
/// let script: LifecycleScript = [.launch, .background, .pass(.seconds(3600)), .foreground, .memoryWarning, .terminate]
/// let time = VirtualTime()
/// let transcript = await script.run(in: TaskCenter(registry: .generated, time: time.source), time: time)
/// ```
///
/// A step that sends waits for the end of its event while time stands still. What needs time (a delay between attempts, a
/// timeout) is begun with ``Step/begin(_:_:)`` and followed by ``Step/pass(_:)``. A script ends when everything it began has
/// ended.
public struct LifecycleScript: Sendable, ExpressibleByArrayLiteral {
  /// One thing that happens.
  public struct Step: Sendable {
    let perform: @Sendable (ScriptStage) async -> Void

    init(_ perform: @escaping @Sendable (ScriptStage) async -> Void) {
      self.perform = perform
    }

    /// Several things, one after the other.
    public static func steps(_ steps: [Step]) -> Step {
      Step { stage in for step in steps { await step.perform(stage) } }
    }

    /// Sends an event and waits for its end.
    public static func send<Payload: Sendable, Reply: Sendable>(
      _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload
    ) -> Step {
      Step { stage in await stage.send(event, payload) }
    }

    /// Sends an event without a payload and waits for its end.
    public static func send<Reply: Sendable>(_ event: LifecycleEvent<Void, Reply>) -> Step { send(event, ()) }

    /// Sends an event and goes on. Its tasks stand in the transcript where it was begun.
    public static func begin<Payload: Sendable, Reply: Sendable>(
      _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload
    ) -> Step {
      Step { stage in await stage.begin(event, payload) }
    }

    /// Sends an event without a payload and goes on.
    public static func begin<Reply: Sendable>(_ event: LifecycleEvent<Void, Reply>) -> Step { begin(event, ()) }

    /// Lets time pass, in the steps in which somebody waits for it.
    ///
    /// It stands still while something runs and nothing sleeps on the clocks. As soon as something does, it goes on whatever
    /// runs beside that: this may be waiting for the one that sleeps. What is busy then, and has a timeout or is to be done
    /// before the next run of a schedule, races with the time that passes.
    public static func pass(_ duration: Duration) -> Step {
      Step { stage in await stage.pass(duration) }
    }

    /// Waits for the end of everything that was begun.
    public static var settle: Step { Step { stage in await stage.settle() } }

    /// Does something with the center: pauses a task, injects one.
    ///
    /// - Parameters:
    ///   - words: what the transcript says of it. An error stands behind them.
    ///   - body: what is done.
    public static func call(_ words: String, _ body: @escaping @Sendable (TaskCenter) async throws -> Void) -> Step {
      Step { stage in await stage.call(words, body) }
    }
  }

  /// What happens, in this order.
  public var steps: [Step]

  /// - Parameter steps: what happens, in this order.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  public init(arrayLiteral steps: Step...) {
    self.steps = steps
  }

  /// Goes through the steps.
  ///
  /// - Parameters:
  ///   - center: whose tasks run.
  ///   - time: the clocks of the center.
  public func run(in center: TaskCenter, time: VirtualTime = VirtualTime()) async -> LifecycleTranscript {
    let stage = ScriptStage(center, time)
    for step in steps { await step.perform(stage) }
    await stage.settle()
    return await stage.transcript
  }
}

extension LifecycleScript.Step {
  /// Both launch events, of a program without arguments and environment, and then `start()`.
  public static var launch: Self { launch(LaunchOptions(arguments: [], environment: [:])) }

  /// Both launch events, and then `start()`: from here on schedules fire.
  public static func launch(_ options: LaunchOptions) -> Self {
    .steps([.send(.willFinishLaunching, options), .send(.didFinishLaunching, options), Self { await $0.start() }])
  }

  /// The program comes to the front.
  public static var foreground: Self { .steps([.send(.willEnterForeground), .send(.didBecomeActive)]) }

  /// The program goes to the background.
  public static var background: Self { .steps([.send(.willResignActive), .send(.didEnterBackground)]) }

  /// Memory is short.
  public static var memoryWarning: Self { .send(.didReceiveMemoryWarning) }

  /// The clock, the zone or the day changes.
  public static var timeChange: Self { .send(.significantTimeChange) }

  /// The program has nothing to do.
  public static var idle: Self { .send(.idle) }

  /// The program is asked to open a URL.
  public static func open(_ url: URL) -> Self { .send(.openURL, OpenURLRequest(url)) }

  /// The program ends: the center is told to `terminate()`. What is to be stopped stands below the event.
  ///
  /// Time stands still meanwhile, unless the end of the program waits for it: where a stop or a task of the event sleeps on the
  /// clocks, a task waits for one that does, for a lane or for its next attempt, time passes in steps, up to the deadline of nine seconds if
  /// need be. A stop or a body that hangs in another way, and is not cancelled, hangs the script: nobody can tell it from one
  /// that is busy. One that is to miss the deadline sleeps on the clocks for longer.
  public static var terminate: Self { Self { await $0.terminate() } }
}
