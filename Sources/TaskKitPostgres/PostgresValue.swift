#if Postgres
import CPostgres
package import Foundation

/// Something that a statement gets, in the server's binary form.
package enum PostgresValue: Sendable {
  case integer(Int64?)
  case flag(Bool)
  case text(String?)
  case json(String?)
  case integers([Int64?])
  case texts([String?])
  case blobs([Data?])

  /// The number that the server has for the type.
  var type: Oid {
    switch self {
    case .integer: 20
    case .flag: 16
    case .text: 25
    case .json: 3802
    case .integers: 1016
    case .texts: 1009
    case .blobs: 1001
    }
  }

  /// Nil for NULL.
  var bytes: [UInt8]? {
    switch self {
    case .integer(let value): value.map { Self.big($0) }
    case .flag(let value): [value ? 1 : 0]
    case .text(let value): value.map { Array($0.utf8) }
    case .json(let value): value.map { [1] + Array($0.utf8) }
    case .integers(let values): Self.array(values, of: 20) { Self.big($0) }
    case .texts(let values): Self.array(values, of: 25) { Array($0.utf8) }
    case .blobs(let values): Self.array(values, of: 17) { Array($0) }
    }
  }

  /// How many bytes that are, without making them.
  var size: Int {
    switch self {
    case .integer(let value): value == nil ? 0 : 8
    case .flag: 1
    case .text(let value): value?.utf8.count ?? 0
    case .json(let value): value.map { $0.utf8.count + 1 } ?? 0
    case .integers(let values): Self.arraySize(values) { _ in 8 }
    case .texts(let values): Self.arraySize(values) { $0.utf8.count }
    case .blobs(let values): Self.arraySize(values) { $0.count }
    }
  }

  private static func arraySize<Value>(_ values: [Value?], _ size: (Value) -> Int) -> Int {
    values.reduce(values.isEmpty ? 12 : 20) { sum, value in sum + 4 + (value.map { size($0) } ?? 0) }
  }

  private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian, Array.init)
  }

  private static func array<Value>(_ values: [Value?], of type: Int32, _ bytes: (Value) -> [UInt8]) -> [UInt8] {
    // How many dimensions, whether there are nulls, the elements' type; then the only dimension: how many, from where.
    var result = big(Int32(values.isEmpty ? 0 : 1)) + big(Int32(1)) + big(type)
    guard !values.isEmpty else { return result }
    result += big(Int32(values.count)) + big(Int32(1))
    for value in values {
      if let value {
        let element = bytes(value)
        result += big(Int32(element.count))
        result += element
      } else {
        result += big(Int32(-1))
      }
    }
    return result
  }

  /// A name as it stands in a statement.
  package static func quoted(_ name: String) -> String {
    // Scalar by scalar: a quote with an accent is another character in Swift, and to the server it ends the name.
    let parts = name.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map { String($0) }.joined(separator: "\"\"") + "\""
  }
}

/// A row that a statement gives, in the server's binary form.
package struct PostgresRow: Sendable {
  private let columns: [Data?]

  init(_ columns: [Data?]) { self.columns = columns }

  package func data(_ column: Int) -> Data? { columns[column] }

  package func integer(_ column: Int) -> Int64? {
    columns[column].map { data in data.withUnsafeBytes { $0.reduce(0) { $0 << 8 | Int64($1) } } }
  }

  package func text(_ column: Int) -> String? { columns[column].map { String(decoding: $0, as: UTF8.self) } }

  package func flag(_ column: Int) -> Bool { columns[column]?.first == 1 }
}
#endif
