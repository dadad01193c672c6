import Foundation

/// What the command line asks for.
struct Settings: Sendable {
  var isQuick = false
  var isJSON = false
  /// Only suites of these names.
  var suites: [String] = []
  /// Only engines whose name contains one of these, and the one that they are compared with.
  var engines: [String] = []
  var rounds = 15
  /// Where the files are made and removed: the disk that is measured.
  var folder = FileManager.default.temporaryDirectory

  static let usage = """
    usage: DurableBenchmarks [--quick] [--json] [--filter SUITE]... [--engine TEXT]... [--rounds NUMBER]
                             [--folder PATH]

      --quick    fewer jobs and rounds, a hundred thousand waiting ones instead of a million
      --json     numbers and verdicts as JSON instead of tables
      --filter   only these suites: \(Suite.all.map(\.name).joined(separator: ", "))
      --engine   only engines whose name contains TEXT, and the one that they are compared with
      --rounds   how often each engine has its turn (15)
      --folder   where files are made and removed: on the disk that is to be measured (the system's temporary folder)
    """

  /// - Returns: nil when the arguments are not understood.
  init?(_ arguments: some Collection<String>) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick":
        isQuick = true
        rounds = 5
      case "--json": isJSON = true
      case "--filter":
        guard let name = rest.popFirst(), Suite.all.contains(where: { $0.name == name }) else { return nil }
        suites.append(name)
      case "--engine":
        guard let text = rest.popFirst() else { return nil }
        engines.append(text)
      case "--rounds":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        rounds = number
      case "--folder":
        guard let path = rest.popFirst() else { return nil }
        folder = URL(filePath: path, directoryHint: .isDirectory)
      default: return nil
      }
    }
  }

  func includes(_ suite: Suite) -> Bool { suites.isEmpty || suites.contains(suite.name) }

  func includes(engine name: String) -> Bool { engines.isEmpty || engines.contains { name.contains($0) } }
}
