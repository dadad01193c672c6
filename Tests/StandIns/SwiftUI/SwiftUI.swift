public import Foundation

// Stands in for SwiftUI where there is none: names, types and isolation as Apple publishes them, as far as the adapter goes.
// A scene that shows a view keeps what its modifiers asked for, and a test plays the system.

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("has no body") }
}

@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = ViewModifierContent<Self>
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// A view that is one already: the stand-in for whatever SwiftUI shows in the end.
@MainActor protocol PrimitiveView {
  func show(in scene: StandInScene)
}

public struct EmptyView: View, PrimitiveView {
  public init() {}
  public var body: Never { fatalError("has no body") }
  func show(in scene: StandInScene) {}
}

public struct ViewModifierContent<Modifier>: View, PrimitiveView {
  let base: any View
  public var body: Never { fatalError("has no body") }
  func show(in scene: StandInScene) { scene.show(base) }
}

public struct ModifiedContent<Content: View, Modifier: ViewModifier>: View, PrimitiveView {
  let content: Content
  let modifier: Modifier
  public var body: Never { fatalError("has no body") }
  func show(in scene: StandInScene) { scene.show(modifier.body(content: ViewModifierContent(base: content))) }
}

public struct ConditionalContent: View, PrimitiveView {
  let chosen: any View
  public var body: Never { fatalError("has no body") }
  func show(in scene: StandInScene) { scene.show(chosen) }
}

public struct AnyView: View, PrimitiveView {
  let base: any View
  public init(_ view: some View) { base = view }
  public var body: Never { fatalError("has no body") }
  func show(in scene: StandInScene) { scene.show(base) }
}

/// A view, and what happens in its scene when it is shown.
struct ActingView: View, PrimitiveView {
  let base: any View
  let act: (StandInScene) -> Void
  var body: Never { fatalError("has no body") }
  func show(in scene: StandInScene) {
    act(scene)
    scene.show(base)
  }
}

@MainActor @resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildEither(first: some View) -> ConditionalContent { ConditionalContent(chosen: first) }
  public static func buildEither(second: some View) -> ConditionalContent { ConditionalContent(chosen: second) }
}

extension View {
  public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
    ModifiedContent(content: self, modifier: modifier)
  }

  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
  ) -> some View {
    ActingView(base: self) { scene in
      let old = scene.lastValue as? Value
      scene.lastValue = value
      if initial && old == nil || old != nil && old != value { action(old ?? value, value) }
    }
  }

  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
    ActingView(base: self) { $0.urlHandlers.append(action) }
  }

  public func onContinueUserActivity(_ activityType: String, perform action: @escaping (NSUserActivity) -> Void)
    -> some View
  {
    ActingView(base: self) { $0.activityHandlers[activityType] = action }
  }
}

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

public struct EnvironmentValues {
  public var scenePhase: ScenePhase
}

@propertyWrapper public struct Environment<Value> {
  private let path: KeyPath<EnvironmentValues, Value>
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { path = keyPath }
  @MainActor public var wrappedValue: Value {
    EnvironmentValues(scenePhase: StandInScene.current?.phase ?? .background)[keyPath: path]
  }
}

@propertyWrapper public struct State<Value> {
  private let initialValue: Value
  public init(wrappedValue value: Value) { initialValue = value }
  @MainActor public var wrappedValue: Value {
    if let kept = StandInScene.current?.state as? Value { return kept }
    StandInScene.current?.state = initialValue
    return initialValue
  }
}

/// A scene that a test moves.
@MainActor public final class StandInScene {
  static var current: StandInScene?

  public var phase = ScenePhase.background
  public internal(set) var urlHandlers: [(URL) -> Void] = []
  public internal(set) var activityHandlers: [String: (NSUserActivity) -> Void] = [:]
  var lastValue: Any?
  var state: Any?

  public init() {}

  /// Shows the view as it is in a phase.
  public func show(_ view: some View, in phase: ScenePhase) {
    self.phase = phase
    urlHandlers = []
    activityHandlers = [:]
    StandInScene.current = self
    show(view)
    StandInScene.current = nil
  }

  func show(_ view: any View) {
    if let primitive = view as? any PrimitiveView { primitive.show(in: self) } else { show(view.body) }
  }
}

/// Foundation has it on Apple's systems.
open class NSUserActivity {
  public let activityType: String
  open var title: String?
  open var webpageURL: URL?
  open var referrerURL: URL?
  open var targetContentIdentifier: String?
  open var userInfo: [AnyHashable: Any]?

  public init(activityType: String) { self.activityType = activityType }
}
