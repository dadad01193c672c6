import Foundation
import TaskKit
#if canImport(StandInUIKit)
import StandInSwiftUI
#endif

let center = TaskCenter(registry: .generated)
let context: TaskContext<Void> = { fatalError() }()
let options = LaunchOptions()
let order = Order()
let urls: [URL] = []
let mirrors: [URL] = []
let url = URL(filePath: "/")
let isPlaying = false
let cache = Cache()
let alert = Alert()
let loader = Loader()

func load(_ url: URL) async throws -> Data { Data() }
func fetch(from mirror: URL) async throws -> String { "" }
func loadFeed() async throws -> String { "" }
func drawFrame() {}

extension TaskCenter {
  nonisolated static let app = TaskCenter(registry: .generated)
}

struct Configuration: Sendable {}
struct Database: Sendable {}
struct Order: Sendable {}
struct Price: Sendable {}

struct Cache: Sendable {
  func removeAll() {}
}

struct OrderQueue: Sendable {
  var orders: AsyncStream<Order> { AsyncStream { $0.finish() } }
}

enum Campaign {
  static let start = Date(timeIntervalSince1970: 1_798_761_600)
}

enum Prices {
  static var updates: AsyncStream<Price> { AsyncStream { $0.finish() } }
}

actor Network {
  static let shared = Network()
  var isReachable = true
}

/// As code with callbacks has it.
struct Alert: Sendable {
  func show(_ answer: @escaping @Sendable (Int) -> Void) {}
}

struct Loader: Sendable {
  struct Request: Sendable {
    func cancel() {}
  }

  func load(_ url: URL, _ callback: @escaping @Sendable (Result<Data, any Error>) -> Void) -> Request { Request() }
}

@EventTask(event: .willFinishLaunching)
enum LoadConfiguration {
  static func run() -> Configuration { Configuration() }
}

@TaskModule
@MainActor final class Settings {}

// MARK: - What is there with Apple's frameworks only

#if canImport(StandInUIKit)
// The adapters are those of the modules that stand in for the frameworks; here is what those have not.

struct RootView: View {
  var body: EmptyView { EmptyView() }
}

struct WindowGroup<Content: View> {
  init(@ViewBuilder _ content: @MainActor () -> Content) {}
}
#else
// The adapters themselves are held against stand-ins where the frameworks are not.

@MainActor class TaskApplicationDelegate {
  class var center: TaskCenter { fatalError("a subclass overrides it") }
}

@MainActor class TaskSceneDelegate {
  class var center: TaskCenter { fatalError("a subclass overrides it") }
}

final class TaskNotificationDelegate {
  init(center: TaskCenter) {}
}

final class UNUserNotificationCenter {
  weak var delegate: TaskNotificationDelegate?

  static func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }
}

struct RootView {
  func sendsLifecycle(to center: TaskCenter, activities: [String] = []) -> RootView { self }
}

struct WindowGroup {
  init(_ content: () -> RootView) {}
}
#endif

final class Metrics: Sendable {
  func open() {}
  func close() async {}
}

let metrics = Metrics()
