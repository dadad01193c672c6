/// A type that declares a task. The macros add this conformance; do not write it by hand.
///
/// The protocol is deliberately not `SendableMetatype`: under default main-actor isolation that would make each
/// conforming type nonisolated and break bodies that touch the app's state.
public protocol LifecycleTask {
  /// What `run` returns, `Void` where it returns nothing. Dependents read it with ``TaskContext/output(of:)``.
  associatedtype Output: Sendable = Void

  /// What the annotation says, as a value.
  nonisolated static var registration: TaskRegistration { get }
}

extension LifecycleTask {
  /// For the macros' output only: a type that the build plugin collected has a member of this name of its own.
  @available(
    *, deprecated,
    message: """
      this task is not collected into a registry: add plugins: [.plugin(name: "TaskKitPlugin", package: "TaskKit")] \
      to its target in Package.swift, or, in Xcode, TaskKitPlugin under Build Phases > Run Build Tool Plug-ins
      """
  )
  public nonisolated static var _isCollected: Void { () }
}

/// For the macros' output only: the protocol by a name that no program gives to a protocol of its own.
public typealias __LifecycleTask = LifecycleTask
