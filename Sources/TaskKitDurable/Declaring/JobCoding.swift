import Foundation

/// How values become bytes: JSON with sorted keys, so that equal values have equal bytes.
enum JobCoding {
  /// What every store takes: of an SQLite file and a PostgreSQL server the limits are higher, and hit all jobs that are
  /// written together.
  static let largest = 256 << 20

  /// Nobody changes them, so all may use them at once.
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
  private static let decoder = JSONDecoder()

  /// - Throws: ``DurableError`` for more bytes than `limit`; what encoding throws.
  static func encode(_ value: some Encodable, limit: Int = largest) throws -> Data {
    let bytes = try encoder.encode(value)
    guard bytes.count <= limit else { throw DurableError.valueTooLarge(type(of: value), bytes.count, limit: limit) }
    return bytes
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    try decoder.decode(type, from: bytes)
  }

  /// Why no payload of a version can be read as the type, whatever its bytes; nil where they can.
  static func problem<Job: DurableTask>(ofVersion version: Int, of type: Job.Type) -> String? {
    guard version <= Job.payloadVersion else {
      return "it is of version \(version), and \(Job.self) of this build reads up to \(Job.payloadVersion)"
    }
    guard version != Job.payloadVersion else { return nil }
    let known = Job.migrations.map(\.version)
    return (version..<Job.payloadVersion).first { !known.contains($0) }.map { gap in
      "it is of version \(version), and no migration of \(Job.self) leads on from version \(gap)"
    }
  }

  /// The value of a stored payload, by way of the kind's migrations.
  ///
  /// - Throws: ``UnreadablePayload``.
  static func load<Job: DurableTask>(_ type: Job.Type, from payload: JobPayload) throws -> Job {
    if let problem = problem(ofVersion: payload.version, of: type) { throw UnreadablePayload(problem) }
    var bytes = payload.bytes
    do {
      for version in payload.version..<Job.payloadVersion {
        if let step = Job.migrations.first(where: { $0.version == version }) { bytes = try step.convert(bytes) }
      }
      return try decode(type, from: bytes)
    } catch {
      // Decoding errors name the field, and no values.
      throw UnreadablePayload("it is of version \(payload.version), and cannot be read as \(Job.self): \(error)")
    }
  }
}

/// A payload that this build cannot read.
struct UnreadablePayload: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
