import TaskKit

@EventTask(priority: 90, event: .didFinishLaunching)
enum StaticOfEnum {
  static func run() { print("static of enum") }
}

@EventTask(priority: 89, event: .didFinishLaunching)
struct InstanceOfStruct {
  let number = 1
  func run() { print("instance of struct \(number)") }
}

@EventTask(priority: 88, event: .didFinishLaunching)
struct MutatingStruct {
  var number = 1
  mutating func run() {
    number += 1
    print("mutating struct \(number)")
  }
}

@EventTask(priority: 87, event: .didFinishLaunching)
final class InstanceOfClass {
  init() {}
  func run(_ options: LaunchOptions) throws { print("instance of class \(options.arguments)") }
}

@EventTask(priority: 86, event: .didFinishLaunching)
actor InstanceOfActor {
  var count = 0
  func run() -> Int {
    count += 1
    print("instance of actor \(count)")
    return count
  }
}

@EventTask(priority: 85, event: .didFinishLaunching, dependencies: [InstanceOfActor.self])
enum WithContext {
  static func run(_ context: TaskContext<LaunchOptions>) async throws -> String {
    let count = try context.output(of: InstanceOfActor.self)
    print("context of \(context.name) with \(count)")
    return "output"
  }
}

@EventTask(priority: 84, event: .didFinishLaunching)
@MainActor
final class OnMainActor {
  func run() { print("on the main actor") }
}

@EventTask(priority: 83, event: .didFinishLaunching)
struct OfTwoInitialisers {
  let text: String
  init(number: Int = 1) { text = "with number \(number)" }
  init() throws { text = "without a number" }
  func run() { print(text) }
}

@EventTask(priority: 83, event: .didFinishLaunching)
enum Disabled {
  static var isEnabled: Bool { false }
  static func run() { print("never") }
}

struct Feed {
  struct Page {}
}

extension Feed {
  @EventTask(priority: 82, event: .didFinishLaunching)
  struct Refresh {
    func run() async { print("nested in an extension") }
  }

  enum Images {
    @EventTask(priority: 81, event: .didFinishLaunching, dependencies: [Refresh.self])
    enum Load {
      static func run() { print("nested twice") }
    }
  }
}

extension Feed.Page {
  @EventTask(priority: 80, event: .didFinishLaunching, dependencies: [Feed.Images.Load.self, Feed.Refresh.self])
  enum `default` {
    static func run() { print("with an escaped name") }
  }
}

@EventTask(
  name: "with every option", priority: 1, event: .didFinishLaunching, dependencies: [StaticOfEnum.self],
  after: ["Feed.Refresh", .optional("Nobody")], timeout: .seconds(60), retry: .attempts(2, backoff: .fixed(.zero)),
  onFailure: .ignore, runs: .once, lane: .display)
enum WithEveryOption {
  static func run(_ context: TaskContext<LaunchOptions>) throws {
    print("attempt \(context.attempt)")
    if !context.isFinalAttempt { throw Failure() }
  }
}

struct Failure: Error {}

extension Lane {
  nonisolated static let display = Lane("display")
}
