import TaskGraph

/// Annotations that are called like TaskKit's and may be another library's. All are taken for TaskKit's, since a library that
/// does not see TaskKit is not scanned; but where nothing else speaks for that, messages say how to name the other one.
enum OtherLibraries {
  /// Whether that may be so in a file: it does not import TaskKit, as far as the scanned modules tell, and imports one that is
  /// not among these.
  static func mayDeclareAnnotations(of file: Int, in module: ScannedModule, _ known: KnownTypes) -> Bool {
    let imports = module.imports[file, default: []].map(\.name)
    // Nearly every file imports TaskKit itself: then it is not looked for what others export.
    guard !imports.contains(where: ScannedModule.libraries.contains),
      imports.contains(where: { name in !known.modules.contains { $0.name == name } })
    else { return false }
    return known.visible(importing: imports + [module.name]).allSatisfy { !ScannedModule.libraries.contains($0) }
  }

  /// What is wrong with the annotations of a module, with a note where one may be another library's.
  static func remarked(_ problems: [Problem], in module: ScannedModule, _ known: KnownTypes) -> [Problem] {
    guard !problems.isEmpty else { return [] }
    let files = Dictionary(module.files.enumerated().map { ($1.path, $0) }) { first, _ in first }
    return problems.map { problem in
      guard let place = problem.place, let file = files[place.path],
        mayDeclareAnnotations(of: file, in: module, known)
      else { return problem }
      var problem = problem
      problem.notes.append(.anotherLibrary(at: place))
      return problem
    }
  }
}
