/// Looks for events of somebody's own that are called like one of TaskKit's.
///
/// A file is read only where everything else says that a `run` does not fit TaskKit's own event.
enum OwnEvents {
  /// Whether a module may declare an event of that name: a member in an extension of the type of events, or of anything that
  /// may be this type or a protocol of it.
  static func mayDeclare(_ event: String, _ known: KnownTypes) -> Bool {
    known.modules.contains { module in
      !module.isTaskKits
        && module.files.indices.contains { index in
          ByteSearch.mayExtend(module.files[index])
            && known.file(index, of: module.name).map { mayDeclare(event, in: $0, known) } ?? false
        }
    }
  }

  private static func mayDeclare(_ event: String, in file: FileReader, _ known: KnownTypes) -> Bool {
    let imports = file.imports()
    return file.declarations.types.contains { type in
      type.kind == .extension && mayBeOfEvents(type, in: file, imports, known)
        && (file.hasMacros(type) || file.mayDeclare(event, between: file.expression(type.body).tokens))
    }
  }

  /// Whether an extension may be one of the type of events. It is none where it extends a type of a scanned module.
  private static func mayBeOfEvents(
    _ type: TypeDeclaration, in file: FileReader, _ imports: [ScannedModule.ImportedModule], _ known: KnownTypes
  ) -> Bool {
    let path = TypePath.read(type.name, of: file.source)
    if path.plainNames.contains(where: { $0 == "LifecycleEvent" || known.mayBeAlias($0) }) { return true }
    let scope = NameScope(module: file.module, file: file.index, surroundings: [], imports: imports)
    let found = known.types(path, in: scope)
    return found.isEmpty || !found.allSatisfy { $0.kind.isNominal && !$0.isConditional }
  }
}

extension FileReader {
  /// Whether a member of a name may be among those between the braces of a type, in whatever branch of `#if`.
  fileprivate func mayDeclare(_ name: String, between tokens: [Token]) -> Bool {
    var index = 0
    while index < tokens.count {
      switch tokens[index].kind {
      case .pound: return true
      case .atSign where !isPlain(attributeName(at: index, in: tokens)): return true
      case .word, .escapedWord:
        if TypePath.plain(text(tokens[index])) == name, index == 0 || tokens[index - 1].kind != .period { return true }
      default: break
      }
      index = tokens.closing(index) + 1
    }
    return false
  }
}
