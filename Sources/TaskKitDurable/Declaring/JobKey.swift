public import Foundation

/// What the key of ``UniqueRule`` and ``KeyLimitRule`` may be made of: a value whose text names it.
///
/// Jobs of the same key are taken for the same work, so a text that two different values share swallows work, and one that
/// is another in each process lets it be done twice. Of many types it is no better than that (`32 bytes`, the name of a
/// class, a set in its order of the day): they do not conform, and such a key does not build.
///
/// Strings, integers, truth values, `UUID` and `URL` conform. What is made of one, as an `enum` of strings, does so with an
/// empty extension; a key of several parts is a text in which nothing but its place tells them apart, so what stands between two of
/// them must be what the first cannot hold, as behind a number: `.by { "\($0.accountNumber)/\($0.file)" }`. An optional of
/// them conforms, too: where it is nil, the job has no key. Texts that are equal are one key, however their accents are written.
///
/// ```swift
/// enum Region: String, Codable { case north, south }
/// extension Region: JobKey {}
/// ```
public protocol JobKey: Sendable {
  /// Equal values have the same text, in every process and build; different values have different ones. Nil is no key.
  var jobKey: String? { get }
}

extension JobKey where Self: LosslessStringConvertible {
  public var jobKey: String? { description }
}

extension JobKey where Self: RawRepresentable, RawValue: JobKey {
  public var jobKey: String? { rawValue.jobKey }
}

extension JobKey where Self: RawRepresentable & LosslessStringConvertible, RawValue: JobKey {
  public var jobKey: String? { rawValue.jobKey }
}

extension String: JobKey {}
extension Substring: JobKey {}
extension Bool: JobKey {}
extension Int: JobKey {}
extension Int8: JobKey {}
extension Int16: JobKey {}
extension Int32: JobKey {}
extension Int64: JobKey {}
extension UInt: JobKey {}
extension UInt8: JobKey {}
extension UInt16: JobKey {}
extension UInt32: JobKey {}
extension UInt64: JobKey {}

extension UUID: JobKey {
  public var jobKey: String? { uuidString }
}

extension URL: JobKey {
  /// The whole address, whatever it is relative to.
  public var jobKey: String? { absoluteString }
}

extension Optional: JobKey where Wrapped: JobKey {
  /// Nil, which is no key, where there is no value.
  public var jobKey: String? { flatMap(\.jobKey) }
}
