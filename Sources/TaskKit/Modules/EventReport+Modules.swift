extension EventReport {
  /// The modules whose methods took part, in the order in which each began (Et10).
  ///
  /// Made at each reading, in time linear in the number of tasks.
  public var modules: [ModuleReport] {
    var names: [String] = []
    var methods: [String: [TaskReport]] = [:]
    for task in tasks {
      guard let module = task.module else { continue }
      if methods[module] == nil { names.append(module) }
      methods[module, default: []].append(task)
    }
    return names.map { name in
      let reports = methods[name] ?? []
      return ModuleReport(
        name: name, tasks: reports.map(\.name), duration: reports.reduce(.zero) { $0 + $1.duration })
    }
  }

  /// The modules for the table, one on each line.
  var moduleLines: [String] {
    let modules = modules
    guard !modules.isEmpty else { return [] }
    let width = modules.reduce(0) { max($0, $1.name.count) }
    return ["modules"]
      + modules.map { module in
        let count = module.tasks.count
        return "  " + module.name + String(repeating: " ", count: width - module.name.count)
          + "  \(count) \(count == 1 ? "task" : "tasks") in \(EventReport.text(module.duration))"
      }
  }
}
