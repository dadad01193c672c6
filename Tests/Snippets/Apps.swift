import TaskKit

enum News {
  static func fetch(_ feed: String) async throws -> Bool { false }
}

// MARK: - What is there with Apple's frameworks only

// The adapters themselves are held against the frameworks, and against stand-ins, in the tests.

@MainActor class TaskApplicationDelegate {
  nonisolated class var center: TaskCenter { fatalError("a subclass overrides it") }
}

@MainActor class TaskSceneDelegate {
  nonisolated class var center: TaskCenter { fatalError("a subclass overrides it") }
}

final class TaskNotificationDelegate {
  init(center: TaskCenter) {}
}

final class UNUserNotificationCenter {
  weak var delegate: TaskNotificationDelegate?

  static func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }
}

protocol App {
  associatedtype Body: Scene
  @MainActor var body: Body { get }
}

protocol Scene {}

struct WindowGroup: Scene {
  init(_ content: () -> RootView) {}
}

struct RootView {
  func sendsLifecycle(to center: TaskCenter, activities: [String] = []) -> RootView { self }
}

@propertyWrapper struct UIApplicationDelegateAdaptor<Delegate> {
  var wrappedValue: Delegate { fatalError("the system makes it") }

  init(_ type: Delegate.Type) {}
}

struct CKContainer: Sendable {
  init(identifier: String) {}

  func accept(_ metadata: Int) async throws -> Int { metadata }
}

extension CloudKitShareInvitation {
  var metadata: Int? { nil }
}
