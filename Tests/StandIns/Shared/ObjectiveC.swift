public import Foundation

// What the adapters use of the Objective-C runtime and of Foundation, where there is neither: the declarations follow
// Apple's, the behaviour is as much of it as the tests look at.

public struct Selector: Hashable, ExpressibleByStringLiteral, Sendable {
  let name: String

  public init(_ name: String) { self.name = name }
  public init(stringLiteral name: String) { self.name = name }
}

public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }

public typealias IMP = OpaquePointer

public protocol NSObjectProtocol: AnyObject {
  func responds(to selector: Selector!) -> Bool
}

open class NSObject: NSObjectProtocol, Hashable {
  nonisolated public init() {}

  /// The runtime looks for the method; a stand-in takes it that each one is there.
  nonisolated open func responds(to selector: Selector!) -> Bool { selector != nil }

  /// The selectors that a class overrides, which the runtime knows by itself.
  nonisolated open class var overriddenSelectors: Set<Selector> { [] }

  nonisolated open class func instanceMethod(for selector: Selector!) -> IMP! {
    IMP(bitPattern: overriddenSelectors.contains(selector) ? 2 : 1)
  }

  nonisolated public static func == (one: NSObject, other: NSObject) -> Bool { one === other }
  nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

open class NSUserActivity: NSObject {
  public let activityType: String
  open var title: String?
  open var webpageURL: URL?
  open var referrerURL: URL?
  open var targetContentIdentifier: String?
  open var userInfo: [AnyHashable: Any]?

  public init(activityType: String) { self.activityType = activityType }
}
