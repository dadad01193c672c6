import Foundation

/// What the tool is to do: a module, those that it depends on, and where to write.
///
/// The build plugin writes it to a file, because a command line cannot name thousands of sources: one line a fact, its
/// parts separated by tabs. `module`, the name and the names of the modules that it depends on, directly or through
/// others; then for each source `file`, its path, and its path inside the target. The last module is the one to
/// generate for. `incomplete` says that it depends on modules that are not listed.
package struct GenerationRequest: Sendable, Equatable {
  package struct Source: Sendable, Equatable {
    package var path: String
    /// Inside the target's directory: the order of declaration goes by it.
    package var relativePath: String

    package init(path: String, relativePath: String) {
      self.path = path
      self.relativePath = relativePath
    }
  }

  package struct Module: Sendable, Equatable {
    package var name: String
    package var dependencies: Set<String>
    package var sources: [Source]

    package init(name: String, dependencies: Set<String>, sources: [Source]) {
      self.name = name
      self.dependencies = dependencies
      self.sources = sources
    }
  }

  package var modules: [Module]
  /// Whether all modules that the last one depends on are listed.
  package var isComplete: Bool

  package init(modules: [Module], isComplete: Bool = true) {
    self.modules = modules
    self.isComplete = isComplete
  }

  /// Reads the file that the plugin wrote.
  package init(contentsOf text: String) throws {
    self.init(modules: [])
    // By bytes: the request names every source, and comparing characters would take longer than reading the sources.
    for (number, line) in text.utf8.split(separator: UInt8(ascii: "\n")).enumerated() {
      let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      switch parts.first {
      case "module" where parts.count >= 2:
        modules.append(Module(name: parts[1], dependencies: Set(parts.dropFirst(2)), sources: []))
      case "file" where parts.count == 3 && !modules.isEmpty:
        modules[modules.count - 1].sources.append(Source(path: parts[1], relativePath: parts[2]))
      case "incomplete" where parts.count == 1: isComplete = false
      default:
        throw GenerationError("line \(number + 1) of the request is neither a module nor a file: \(Substring(line))")
      }
    }
  }
}

/// Why nothing could be generated.
package struct GenerationError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
