/// A type whose one instance has several tasks. ``TaskModule(name:creation:dependencies:)`` adds this conformance; do not
/// write it by hand.
///
/// Like ``LifecycleTask`` it is deliberately not `SendableMetatype`. That instances are `Sendable` is asked for where they
/// are made and registered.
public protocol LifecycleModule: AnyObject {
  /// What the annotations say, as a value.
  nonisolated static var registration: ModuleRegistration { get }
}

extension LifecycleModule {
  /// For the macros' output only: a type that the build plugin collected has a member of this name of its own.
  @available(
    *, deprecated,
    message: """
      this module is not collected into a registry: add plugins: [.plugin(name: "TaskKitPlugin", package: "TaskKit")] \
      to its target in Package.swift, or, in Xcode, TaskKitPlugin under Build Phases > Run Build Tool Plug-ins
      """
  )
  public nonisolated static var _isCollected: Void { () }
}

/// For the macros' output only: the protocol by a name that no program gives to a protocol of its own.
public typealias __LifecycleModule = LifecycleModule

/// When the instance of a module comes to be.
public enum ModuleCreation: Sendable, Hashable {
  /// Before its first method runs, before a module that depends on it is created, or when
  /// ``TaskCenter/module(creating:)`` asks for it: whatever comes first.
  case whenNeeded
  /// At `didFinishLaunching`, by a task of priority ``Priority/critical`` that is named like the module with `.init`
  /// behind.
  case atLaunch
  /// It is never created: ``TaskCenter/register(_:ifPassed:)`` brings it. Until then its methods are skipped as disabled.
  case byRegistering
}
