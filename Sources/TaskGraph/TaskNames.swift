/// Finds tasks by the names that people write: the full name, or the part behind the module while only one task has it.
///
/// Cost: O(n) to build; O(1) to find; O(n) to suggest.
public struct TaskNames: Sendable {
  /// What a name stands for.
  public enum Match: Sendable, Hashable {
    /// This task.
    case one(Int)
    /// Only the part behind the module was given, and these tasks share it.
    case several([Int])
    /// Nothing has that name; the nearest one that exists, if any is near.
    case none(suggestion: String?)
  }

  private var names: [String] = []
  private var behindModule: [String?] = []
  private var byName: [String: [Int]] = [:]
  private var byRest: [String: [Int]] = [:]

  /// Tasks are numbered in the order given.
  public init(_ tasks: some Sequence<(name: String, module: String)>) {
    for (number, task) in tasks.enumerated() {
      names.append(task.name)
      byName[task.name, default: []].append(number)
      let prefix = task.module + "."
      let rest = task.name.hasPrefix(prefix) ? String(task.name.dropFirst(prefix.count)) : nil
      behindModule.append(rest)
      if let rest { byRest[rest, default: []].append(number) }
    }
  }

  /// The task that a name stands for. A full name wins over the part behind a module; of tasks with one full name, the first.
  public func find(_ name: String) -> Match {
    if let number = byName[name]?.first { return .one(number) }
    switch byRest[name] {
    case .none: return .none(suggestion: suggestion(for: name))
    case .some(let numbers): return numbers.count == 1 ? .one(numbers[0]) : .several(numbers)
    }
  }

  /// All tasks with this full name, in order.
  func named(_ name: String) -> [Int] { byName[name] ?? [] }

  /// All tasks with this name behind the module, in order.
  func namedBehindModule(_ name: String) -> [Int] { byRest[name] ?? [] }

  /// The existing name that is nearest to one that does not exist, in its shortest form; nil if none is near.
  ///
  /// Near means: a slip or two, or the right type with its path or module forgotten. Cost: O(n × length).
  public func suggestion(for name: String, except excluded: Int? = nil) -> String? {
    nearest(to: name, except: excluded)?.name
  }

  /// The same with the number of the task that has it.
  package func nearest(to name: String, except excluded: Int? = nil) -> (number: Int, name: String)? {
    let written = Array(name.utf8)
    // The same share of slips that compilers allow; a name of one letter has no neighbours.
    var limit = min((written.count + 2) / 3, written.count - 1)
    var best: (distance: Int, number: Int, name: String)?
    for number in names.indices where number != excluded {
      let shown = shortestForm(of: number)
      var distance = SpellingDistance.between(written, names[number].utf8, limit: limit)
      if let rest = behindModule[number] {
        distance = min(distance, SpellingDistance.between(written, rest.utf8, limit: limit))
      }
      if Self.lastPart(of: names[number]) == Self.lastPart(of: name) {
        distance = min(distance, names[number].hasSuffix("." + name) ? 1 : 2)
      }
      guard distance <= limit else { continue }
      if let found = best, (found.distance, found.name) <= (distance, shown) { continue }
      best = (distance, number, shown)
      limit = distance
    }
    return best.map { ($0.number, $0.name) }
  }

  /// The part behind the module if that is enough, else the full name.
  private func shortestForm(of number: Int) -> String {
    guard let rest = behindModule[number], byName[rest] == nil, byRest[rest]?.count == 1 else { return names[number] }
    return rest
  }

  private static func lastPart(of name: String) -> Substring {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? name[...]
  }
}
