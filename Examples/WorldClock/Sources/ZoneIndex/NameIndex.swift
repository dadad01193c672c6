/// Finds names whatever their capitals, and with spaces for underscores.
public struct NameIndex: Sendable {
  private let names: [String: [String]]
  private let sortedKeys: [String]

  /// - Parameter entries: what is looked for, and the zone that it leads to. Several may have the same key.
  public init(_ entries: [(key: String, name: String)]) {
    names = Dictionary(grouping: entries) { NameIndex.folded($0.key) }.mapValues { entries in
      var seen: Set<String> = []
      return entries.map(\.name).filter { seen.insert($0).inserted }.sorted()
    }
    sortedKeys = names.keys.sorted()
  }

  /// How many keys there are.
  public var count: Int { sortedKeys.count }

  /// Every key, in alphabetical order.
  var keys: [String] { sortedKeys }

  /// The names behind exactly that key.
  public subscript(key: String) -> [String] { names[NameIndex.folded(key)] ?? [] }

  /// The names behind the keys that begin with a text, by key.
  public func names(withPrefix prefix: String) -> [String] {
    let prefix = NameIndex.folded(prefix)
    return sortedKeys[position(of: prefix)...].prefix { $0.hasPrefix(prefix) }.flatMap { names[$0] ?? [] }
  }

  /// Small letters, and underscores for spaces: `New York` and `new_york` are the same.
  static func folded(_ text: String) -> String {
    String(text.lowercased().map { $0.isWhitespace ? "_" : $0 })
  }

  private func position(of key: String) -> Int {
    var low = 0
    var high = sortedKeys.count
    while low < high {
      let middle = (low + high) / 2
      if sortedKeys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
