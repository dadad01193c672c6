#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif
import TaskGraph

/// Reads what the annotations of a module say.
struct ModuleReader {
  private var module: ScannedModule
  private let isTarget: Bool

  /// - Parameters:
  ///   - files: in the order of their paths inside the target, by bytes.
  ///   - isTarget: whether its annotations are checked one by one; those of other modules were when these were built.
  static func read(name: String, dependencies: Set<String>, files: [SourceText], isTarget: Bool) -> ScannedModule {
    var reader = ModuleReader(
      module: ScannedModule(name: name, dependencies: dependencies, files: files), isTarget: isTarget)
    for index in files.indices where ByteSearch.mayDeclare(files[index]) { reader.read(file: index) }
    return reader.module
  }

  private init(module: ScannedModule, isTarget: Bool) {
    self.module = module
    self.isTarget = isTarget
  }

  private mutating func read(file index: Int) {
    let source = module.files[index]
    let file = FileReader(
      source: source, declarations: DeclarationReader.read(source), module: module.name, index: index)
    module.tasks += file.tasks()
    if isTarget { module.problems += AnnotationChecks.problems(in: file) }
    module.events += file.events()
    module.imports[index] = file.imports()
  }
}

/// A search for the words without which a file has nothing to say here, long before it is lexed.
enum ByteSearch {
  /// Whether an annotation or an own event may stand in the file.
  static func mayDeclare(_ source: SourceText) -> Bool {
    // All annotations end in this word, and an own event extends this type.
    contains("Task", in: source, before: UInt8(ascii: "(")) || contains("LifecycleEvent", in: source, before: nil)
  }

  static func mayReexport(_ source: SourceText) -> Bool { contains("_exported", in: source, before: nil) }

  private static func contains(_ word: StaticString, in source: SourceText, before next: UInt8?) -> Bool {
    let length = word.utf8CodeUnitCount
    let end = source.count
    return source.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      var offset = 0
      while offset + length <= end,
        let found = memchr(base + offset, Int32(word.utf8Start.pointee), end - length - offset + 1)
      {
        let start = base.distance(to: UnsafeRawPointer(found))
        // The byte behind the text is 0.
        if memcmp(found, word.utf8Start, length) == 0, next == nil || bytes[start + length] == next { return true }
        offset = start + 1
      }
      return false
    }
  }
}
