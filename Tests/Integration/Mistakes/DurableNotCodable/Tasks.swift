import Foundation
import TaskKitDurable

struct Plain: Sendable {}

// error: type 'NotCodable' does not conform to protocol 'Decodable'
// error: type 'NotCodable' does not conform to protocol 'Encodable'
@DurableTask(kind: "value")
struct NotCodable {
  var value: Plain
  func run() {}
}

// error: requires that 'Plain' conform to 'Decodable'
// error: requires that 'Plain' conform to 'Encodable'
@DurableTask(kind: "result")
struct WrongResult: Codable {
  func run() -> Plain { Plain() }
}

// error: requires that 'Data' conform to 'JobKey'
@DurableTask(kind: "digest", unique: .by(\.digest))
struct Digest: Codable {
  var digest: Data
  func run() {}
}

// error: requires that 'Set<String>' conform to 'JobKey'
@DurableTask(kind: "tags", keyLimit: .by(\.tags))
struct Tags: Codable {
  var tags: Set<String>
  func run() {}
}

// error: requires that 'Set<String>' conform to 'JobKey'
@DurableTask(kind: "labels", keyLimit: .by { $0.labels })
struct Labels: Codable {
  var labels: Set<String>
  func run() {}
}

@DurableTask(kind: "key", unique: .by { $0.nam })  // error: value of type 'Key' has no member 'nam'
struct Key: Codable {
  var name: String
  func run() {}
}
