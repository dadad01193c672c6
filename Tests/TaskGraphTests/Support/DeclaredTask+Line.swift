public import TaskGraph

extension DeclaredTask {
  /// A task on one line of App.swift, in module App; the n-th reference stands at column 10 × n.
  static func on(
    _ line: Int, _ name: String, _ occasions: Occasion..., needs: [Reference.Target] = [],
    after: [Reference.Target] = [], optional: [Reference.Target] = [], branch: [String: Int] = [:]
  ) -> DeclaredTask {
    var column = 0
    func reference(_ target: Reference.Target, mayBeAbsent: Bool = false) -> Reference {
      column += 10
      return Reference(
        target, place: SourcePlace(path: "App.swift", line: line, column: column), mayBeAbsent: mayBeAbsent)
    }
    return DeclaredTask(
      name: name, module: "App", occasions: occasions, dependencies: needs.map { reference($0) },
      after: after.map { reference($0) } + optional.map { reference($0, mayBeAbsent: true) },
      place: SourcePlace(path: "App.swift", line: line, column: 1), branch: branch)
  }
}

extension Reference.Target: ExpressibleByStringLiteral {
  public init(stringLiteral name: String) { self = .name(name) }
}

extension Occasion {
  static let launch = Occasion.event("didFinishLaunching")
  static let earlyLaunch = Occasion.event("willFinishLaunching")
  static let active = Occasion.event("didBecomeActive")
  static let background = Occasion.event("didEnterBackground")
  static let terminate = Occasion.event("willTerminate")
}
