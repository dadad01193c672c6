/// Which names are other names of a zone: `US/Pacific` is `America/Los_Angeles`.
public struct AliasIndex: Sendable {
  private let targets: [String: String]
  private let aliases: [String: [String]]

  /// - Parameter links: from the other name to the name it stands for, which may be a link itself.
  public init(links: [String: String]) {
    var targets: [String: String] = [:]
    for alias in links.keys {
      var name = alias
      var seen: Set<String> = []
      while let next = links[name], seen.insert(name).inserted { name = next }
      if name != alias { targets[alias] = name }
    }
    self.targets = targets
    aliases = Dictionary(grouping: targets.keys.sorted()) { targets[$0] ?? $0 }
  }

  /// How many names are other names.
  public var count: Int { targets.count }

  /// The proper name of a zone.
  public func canonical(_ name: String) -> String { targets[name] ?? name }

  /// The other names of a zone, in alphabetical order.
  public func aliases(of name: String) -> [String] { aliases[name] ?? [] }
}
