import TaskGraph

extension KnownTypes {
  /// Where extensions of an annotated type, or a type from which it inherits, declare a static member or a type of a name that
  /// is seen from the annotation.
  func memberInside(_ name: String, of type: ScannedTask) -> SourcePlace? {
    // Most annotated types have neither: then no file is read.
    guard !type.supertypes.isEmpty || mayExtend(type.path.last ?? "", in: type.module) else { return nil }
    let files = modules.flatMap { module in
      module.files.indices.filter { ByteSearch.mayDeclare(name, in: module.files[$0]) }.map { (module.name, $0) }
    }
    guard !files.isEmpty else { return nil }
    let own = NameScope.Candidate(module: type.module, path: type.path)
    let types = [own] + inherited(by: own)
    let scope = NameScope(module: type.module, file: type.file, surroundings: [], imports: type.imports)
    for (module, index) in files {
      guard let file = file(index, of: module) else { continue }
      for (number, declaration) in file.declarations.types.enumerated() {
        // What stands in its own body, the macro sees.
        let isOwn =
          module == own.module && declaration.kind != .extension && file.path(of: number).plainNames == own.path
        guard !declaration.isLocal, !isOwn, means(number, in: file, oneOf: types) else { continue }
        let members = file.members(of: number, named: name)
        for (place, access) in members where scope.sees(access, file: index, of: module, isForeign: true) {
          return place
        }
      }
    }
    return nil
  }

  /// Whether it is the declaration or an extension of one of the types.
  private func means(_ number: Int, in file: FileReader, oneOf types: [NameScope.Candidate]) -> Bool {
    let path = file.path(of: number)
    if types.contains(.init(module: file.module, path: path.plainNames)) { return true }
    guard file.declarations.types[number].kind == .extension else { return false }
    let scope = NameScope(module: file.module, file: file.index, surroundings: [], imports: file.imports())
    return declared(path, in: scope).contains(where: types.contains)
  }
}

extension FileReader {
  /// The static members and types of a name between the braces of a type, and who sees them.
  fileprivate func members(of type: Int, named name: String) -> [(place: SourcePlace, access: AccessLevel)] {
    func isMeant(_ span: SourceSpan) -> Bool { TypePath.plain(source.text(span)) == name }
    let values = staticMembers(of: declarations.types[type]).filter { isMeant($0.name) }
    let types = declarations.types.filter { $0.parent == type && $0.kind != .extension && isMeant($0.name) }
    let aliases = declarations.aliases.filter { $0.parent == type && isMeant($0.name) }
    return values.map { (place($0.name.start), access($0.access, in: type)) }
      + types.map { (place($0.name.start), access($0.modifiers, in: type)) }
      + aliases.map { (place($0.name.start), access($0.modifiers, in: type)) }
  }
}
