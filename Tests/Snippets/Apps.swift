import TaskKit
#if canImport(StandInUIKit)
import StandInSwiftUI
import StandInUIKit
#endif

enum News {
  static func fetch(_ feed: String) async throws -> Bool { false }
}

// MARK: - What is there with Apple's frameworks only

#if canImport(StandInUIKit)
// The adapters are those of the modules that stand in for the frameworks; here is what those have not.

struct WindowGroup<Content: View>: Scene {
  init(@ViewBuilder _ content: @MainActor () -> Content) {}
}

struct RootView: View {
  var body: EmptyView { EmptyView() }
}

struct CKContainer: Sendable {
  init(identifier: String) {}

  func accept(_ metadata: CKShare.Metadata) async throws -> CKShare { CKShare() }
}
#else
// The adapters themselves are held against stand-ins where the frameworks are not.

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

struct WindowGroup: Scene {
  init(_ content: () -> RootView) {}
}

struct RootView {
  func sendsLifecycle(to center: TaskCenter, activities: [String] = []) -> RootView { self }
}

struct CKContainer: Sendable {
  init(identifier: String) {}

  func accept(_ metadata: Int) async throws -> Int { metadata }
}

extension CloudKitShareInvitation {
  var metadata: Int? { nil }
}
#endif

protocol App {
  associatedtype Body: Scene
  @MainActor var body: Body { get }
}

protocol Scene {}

@propertyWrapper struct UIApplicationDelegateAdaptor<Delegate> {
  var wrappedValue: Delegate { fatalError("the system makes it") }

  init(_ type: Delegate.Type) {}
}
