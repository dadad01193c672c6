import Foundation
import TaskScanner

let usage = """
  usage: taskkit-generate --request FILE --output FILE
         taskkit-generate --module NAME --sources DIRECTORY [--dependency NAME=DIRECTORY ...] --output FILE

  Reads the task annotations of a module and of the modules that it depends on, proves their graph, and writes the
  module's task registry. The build plugin uses the first form. The second one is for build systems that the plugin
  does not know: name a dependency after those that it depends on itself.

    --module NAME                 the module to generate for
    --sources DIRECTORY           its sources
    --dependency NAME=DIRECTORY   a module that it depends on, directly or through others, and its sources
    --request FILE                a file that says all this
    --output FILE                 what is written, if its contents change
    --help                        prints this
  """

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(1)
}

/// The Swift files of a directory, by their paths inside it.
func swiftFiles(in directory: String) -> [GenerationRequest.Source] {
  // What is not there has no files either, and would be taken for a module without tasks.
  guard isDirectory(directory) else { fail("there is no directory \(directory)") }
  // A link is not entered, not even the one that is asked for.
  let folder = URL(filePath: directory).resolvingSymlinksInPath().path(percentEncoded: false)
  let files: [String]
  do {
    files = try FileManager.default.subpathsOfDirectory(atPath: folder)
  } catch {
    fail("cannot read \(directory): \(error.localizedDescription)")
  }
  let prefix = directory.hasSuffix("/") ? directory : directory + "/"
  return files.filter { $0.hasSuffix(".swift") && !isDirectory(prefix + $0) }.map {
    GenerationRequest.Source(path: prefix + $0, relativePath: $0)
  }
}

func isDirectory(_ path: String) -> Bool {
  var isDirectory: ObjCBool = false
  return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
}

func text(of file: String) -> String {
  do {
    return try String(contentsOfFile: file, encoding: .utf8)
  } catch {
    fail("cannot read \(file): \(error.localizedDescription)")
  }
}

/// An unchanged file keeps its date, and nothing that depends on it is built again.
func write(_ text: String, to file: String) {
  let data = Data(text.utf8)
  guard FileManager.default.contents(atPath: file) != data else { return }
  do {
    try data.write(to: URL(fileURLWithPath: file), options: .atomic)
  } catch {
    fail("cannot write \(file): \(error.localizedDescription)")
  }
}

struct Arguments {
  var module: String?
  var sources: String?
  var dependencies: [(name: String, directory: String)] = []
  var request: String?
  var output: String?

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" {
        print(usage)
        exit(0)
      }
      guard let value = rest.popFirst() else { fail("'\(option)' is unknown or lacks its value\n\(usage)") }
      switch option {
      case "--module": module = value
      case "--sources": sources = value
      case "--request": request = value
      case "--output": output = value
      case "--dependency":
        let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { fail("'--dependency \(value)' is not NAME=DIRECTORY") }
        dependencies.append((parts[0], parts[1]))
      default: fail("unknown option '\(option)'\n\(usage)")
      }
    }
  }

  func makeRequest() throws -> GenerationRequest {
    if let request {
      return try GenerationRequest(contentsOf: text(of: request))
    }
    guard let module, let sources else { fail("name a module and its sources\n\(usage)") }
    var modules: [GenerationRequest.Module] = []
    for dependency in dependencies {
      modules.append(
        .init(
          name: dependency.name, dependencies: Set(modules.map(\.name)),
          sources: swiftFiles(in: dependency.directory)))
    }
    modules.append(
      .init(name: module, dependencies: Set(modules.map(\.name)), sources: swiftFiles(in: sources)))
    return GenerationRequest(modules: modules)
  }
}

let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
guard let output = arguments.output else { fail("name a file with --output\n\(usage)") }
do {
  let generation = try Generation(arguments.makeRequest())
  for diagnostic in generation.diagnostics { print(diagnostic) }
  guard let text = generation.text else { exit(1) }
  write(text, to: output)
} catch {
  fail("\(error)")
}
