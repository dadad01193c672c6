import Foundation

/// How the registry file has to import a module, so that it agrees with the target's own files.
///
/// Beside an import with a level, a bare one of the same module is ambiguous, and beside a bare one a level is: the
/// compiler then complains in the person's file. So the first import that is found decides for the generated one.
struct ImportLevels {
  private let target: ScannedModule

  init(of target: ScannedModule) {
    self.target = target
  }

  func line(for module: String) -> String {
    switch written(module) {
    case .some(let level) where !level.isEmpty: "internal import \(module)\n"
    default: "import \(module)\n"
    }
  }

  /// The level with which the target imports a module; empty for none, nil where no file imports it.
  private func written(_ module: String) -> String? {
    for file in target.files.indices {
      if let imports = target.imports[file] {
        if let found = imports.first(where: { $0.name == module }) { return found.access }
      } else if Self.mayImport(module, in: target.files[file]) {
        let source = target.files[file]
        let reader = FileReader(
          source: source, declarations: DeclarationReader.read(source), module: target.name, index: file)
        if let found = reader.imports().first(where: { $0.name == module }) { return found.access }
      }
    }
    return nil
  }

  /// Whether the name stands anywhere in a file behind a space: only such files are worth reading.
  private static func mayImport(_ module: String, in source: SourceText) -> Bool {
    let name = Array((" " + module).utf8)
    let end = source.count
    return source.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      var offset = 0
      // The letter behind the space: there are fewer of it than spaces.
      while offset + name.count <= end, let found = memchr(base + offset + 1, Int32(name[1]), end - offset - 1) {
        let start = base.distance(to: UnsafeRawPointer(found)) - 1
        if start + name.count <= end, memcmp(base + start, name, name.count) == 0 { return true }
        offset = start + 1
      }
      return false
    }
  }
}
