public import Foundation

/// One step from an older shape of a kind's values to the next: version 1 to 2, 2 to 3.
///
/// ```swift
/// extension Upload {
///   static var payloadVersion: Int { 2 }
///   static var migrations: [PayloadMigration] {
///     [PayloadMigration(from: 1) { (old: UploadV1) in Upload(file: URL(filePath: old.path)) }]
///   }
/// }
/// ```
///
/// Steps are applied when a job runs; what is stored stays as it is.
public struct PayloadMigration: Sendable {
  /// The version of the values that it takes. Those that it makes are of the next.
  public let version: Int
  let convert: @Sendable (Data) throws -> Data

  /// - Parameters:
  ///   - version: of the values that it takes; those that it makes are of the next.
  ///   - convert: a value as it was, to a value that encodes as the next version does.
  public init<Old: Decodable & SendableMetatype, New: Encodable & SendableMetatype>(
    from version: Int, _ convert: @escaping @Sendable (Old) throws -> New
  ) {
    self.init(bytesFrom: version) { try JobCoding.encode(convert(JobCoding.decode(Old.self, from: $0))) }
  }

  /// The same on the stored bytes.
  public init(bytesFrom version: Int, _ convert: @escaping @Sendable (Data) throws -> Data) {
    self.version = version
    self.convert = convert
  }
}
