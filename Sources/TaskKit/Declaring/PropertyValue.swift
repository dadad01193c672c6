public import Foundation

/// A value out of a dictionary of the system, such as the `userInfo` of a notification, as a value that may be sent.
public enum PropertyValue: Sendable, Hashable {
  /// True or false. Where numbers are bridged, what the number was made of tells it from 1 and 0.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A number with a fraction, or one that was made as such; also a whole one for which ``integer(_:)`` has no room.
  case double(Double)
  /// A text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A moment.
  case date(Date)
  /// An address. Property lists have none, but dictionaries of the system do.
  case url(URL)
  /// Values in their order.
  case array([PropertyValue])
  /// Values by key. A key that was no text is here by its description.
  case dictionary([String: PropertyValue])
  /// Nothing, where the dictionary says so: `NSNull`.
  case null
  /// Something that is none of these. It stays behind; the text is the name of its type.
  case other(String)

  /// Reads a value. What is no property list value, URL or null becomes ``other(_:)``: nothing is left out silently.
  public init(_ value: Any) {
    switch value {
    case let value as PropertyValue: self = value
    case let value as String: self = .string(value)
    case let value as Data: self = .data(value)
    case let value as Date: self = .date(value)
    case let value as URL: self = .url(value)
    case let value as [Any]: self = .array(value.map(PropertyValue.init))
    case let value as [AnyHashable: Any]: self = .dictionary(PropertyValue.dictionary(value))
    case is NSNull: self = .null
    default: self = PropertyValue.number(value) ?? .other("\(type(of: value))")
    }
  }

  /// Reads a dictionary. A key that is no string is read by its description.
  public static func dictionary(_ values: [AnyHashable: Any]) -> [String: PropertyValue] {
    Dictionary(
      values.map { ($0.key.base as? String ?? "\($0.key.base)", PropertyValue($0.value)) }, uniquingKeysWith: { $1 })
  }

  /// Where numbers are bridged, `true` can be read as 1 and 1 as `true`: what the number was made of decides.
  private static func number(_ value: Any) -> PropertyValue? {
    #if canImport(Darwin)
    if let number = value as? NSNumber {
      if CFGetTypeID(number) == CFBooleanGetTypeID() { return .bool(number.boolValue) }
      return CFNumberIsFloatType(number) ? .double(number.doubleValue) : whole(number)
    }
    return nil
    #else
    // A number of Foundation's is each of the types that have its value.
    if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
      // There is one of each.
      if number === NSNumber(value: true) { return .bool(true) }
      if number === NSNumber(value: false) { return .bool(false) }
      let form = UInt8(bitPattern: number.objCType.pointee)
      return "fd".utf8.contains(form) ? .double(number.doubleValue) : whole(number)
    }
    switch value {
    case let value as Bool: return .bool(value)
    case let value as any BinaryInteger: return Int(exactly: value).map { .integer($0) } ?? .double(Double(value))
    case let value as any BinaryFloatingPoint: return .double(Double(value))
    case let value as NSNumber: return .double(value.doubleValue)
    default: return nil
    }
    #endif
  }

  private static func whole(_ number: NSNumber) -> PropertyValue {
    Int(exactly: number).map { .integer($0) } ?? .double(number.doubleValue)
  }

  /// The value as the system's dictionaries hold it; nil for ``null`` and ``other(_:)``.
  public var plainValue: (any Sendable)? {
    switch self {
    case .bool(let value): value
    case .integer(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .url(let value): value
    case .array(let values): values.compactMap(\.plainValue)
    case .dictionary(let values): values.compactMapValues(\.plainValue)
    case .null, .other: nil
    }
  }

  /// The text, if it is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The number, if it is a whole one.
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }

  /// What stands under a key, if it is a dictionary.
  public subscript(key: String) -> PropertyValue? {
    if case .dictionary(let values) = self { values[key] } else { nil }
  }
}
