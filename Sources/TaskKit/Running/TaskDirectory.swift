import TaskGraph

/// Finds the tasks of a center by name and by type.
///
/// Made at the first question, because a launch has none; from then on each task that comes or goes is noted, in O(1).
struct TaskDirectory: Sendable {
  private var names = NumberIndex<String>()
  /// By the part of the name behind the module.
  private var shortNames = NumberIndex<String>()
  private var types: [ObjectIdentifier: Int32] = [:]

  /// What a name stands for.
  enum Match {
    case one(Int32)
    /// Only the part behind the module was given, and these tasks share it.
    case several([Int32])
    case none
  }

  /// A full name wins over the part behind a module; of tasks with one full name, the first.
  func find(_ name: String) -> Match {
    if let number = names.first(name) { return .one(number) }
    guard let number = shortNames.first(name) else { return .none }
    let all = shortNames.all(name)
    return all.count == 1 ? .one(number) : .several(all)
  }

  func number(ofType type: ObjectIdentifier) -> Int32? { types[type] }

  func number(named name: String) -> Int32? { names.first(name) }

  /// Whatever a name can stand for, whole or behind the module.
  func candidates(for name: String) -> [Int32] { names.all(name) + shortNames.all(name) }

  /// How many names and types it holds.
  var storedCount: Int { names.storedCount + shortNames.storedCount + types.count }

  mutating func reserveCapacity(_ capacity: Int) {
    names.reserveCapacity(capacity)
  }

  mutating func insert(_ number: Int32, _ record: borrowing TaskRecord) {
    names.insert(number, for: record.registration.name.rawValue)
    if let short = record.registration.name.short(inModule: record.module) { shortNames.insert(number, for: short) }
    if let type = record.registration.type { types[type] = number }
  }

  mutating func remove(_ number: Int32, _ record: borrowing TaskRecord) {
    names.remove(number, for: record.registration.name.rawValue)
    if let short = record.registration.name.short(inModule: record.module) { shortNames.remove(number, for: short) }
    if let type = record.registration.type, types[type] == number { types[type] = nil }
  }
}

/// Numbers by key, mostly one each.
struct NumberIndex<Key: Hashable & Sendable>: Sendable {
  private var firsts: [Key: Int32] = [:]
  /// All but the first of those that share a key.
  private var others: [Key: [Int32]] = [:]

  var storedCount: Int { others.reduce(firsts.count) { $0 + $1.value.count } }

  func first(_ key: Key) -> Int32? { firsts[key] }

  func all(_ key: Key) -> [Int32] {
    guard let first = firsts[key] else { return [] }
    return others.isEmpty ? [first] : [first] + (others[key] ?? [])
  }

  mutating func reserveCapacity(_ capacity: Int) { firsts.reserveCapacity(capacity) }

  mutating func insert(_ number: Int32, for key: Key) {
    if firsts[key] == nil { firsts[key] = number } else { others[key, default: []].append(number) }
  }

  mutating func remove(_ number: Int32, for key: Key) {
    if firsts[key] == number {
      firsts[key] = others[key]?.first
      others[key]?.removeFirst()
    } else {
      others[key]?.removeAll { $0 == number }
    }
    if others[key]?.isEmpty == true { others[key] = nil }
  }
}

extension TaskName {
  /// The part behind the module, if the name begins with it.
  func short(inModule module: String) -> String? {
    let (name, prefix) = (rawValue.utf8, module.utf8)
    guard name.count > prefix.count, name.starts(with: prefix) else { return nil }
    let rest = name.dropFirst(prefix.count)
    return rest.first == UInt8(ascii: ".") ? String(rest.dropFirst()) : nil
  }
}
