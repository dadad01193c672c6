public import Foundation

/// What a program was started with: the payload of the two launch events.
///
/// ```swift
/// await center.send(.didFinishLaunching, LaunchOptions(arguments: CommandLine.arguments))
/// ```
public struct LaunchOptions: Sendable {
  /// Why the process was started.
  public enum Reason: Sendable, Hashable {
    /// By the person in front of it, or by a shell.
    case normal
    /// In the background, without anything to show. Of an app with scenes UIKit does not tell it: what only a launch with
    /// something to show needs waits for ``LifecycleEvent/willEnterForeground``.
    case background
    /// Ahead of time by the system. Protected data may not be readable yet, and nobody has asked for the app.
    case prewarmed
    /// To open a URL.
    case url(URL)
    /// By a notification that was tapped or delivered.
    case notification
    /// By a shortcut of that type.
    case shortcut(String)
    /// To bring back an earlier session, and nothing else.
    case restored
    /// Not by the person for its own sake: to open or print a document, to do a service for another program, or to bring
    /// back an earlier session. The system does not say which; a document comes as an event of its own.
    case other
  }

  /// The command line, the program's own name first.
  public var arguments: [String]
  /// The variables that the process was given: its own, unless said otherwise.
  public var environment: [String: String]
  /// What has started the process; ``Reason/normal`` unless the sender knows better.
  public var reason: Reason

  private var extras: [ObjectIdentifier: any Sendable] = [:]

  public init(
    arguments: [String] = CommandLine.arguments,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    reason: Reason = .normal
  ) {
    self.arguments = arguments
    self.environment = environment
    self.reason = reason
  }

  /// The key of what the system says of a launch in words of its own: UIKit's launch options, what comes with AppKit's
  /// notification. Nil where it says nothing.
  ///
  /// ```swift
  /// let sender = options[LaunchOptions.SystemValues.self]?["UIApplicationLaunchOptionsSourceApplicationKey"]?.string
  /// ```
  public enum SystemValues: SharedKey {
    /// By the system's own keys. What cannot be sent is there as ``PropertyValue/other(_:)``.
    public typealias Value = [String: PropertyValue]
  }

  /// What else is known of the launch, by typed key: ``SystemValues`` from an adapter, and whatever the program adds.
  ///
  /// `nil` where nobody set it; setting `nil` removes it.
  public subscript<Key: SharedKey>(_ key: Key.Type) -> Key.Value? {
    // A cast of what is not there to a type that may be nil would find nil.
    get { extras[ObjectIdentifier(key)].flatMap { $0 as? Key.Value } }
    set { extras[ObjectIdentifier(key)] = newValue }
  }
}
