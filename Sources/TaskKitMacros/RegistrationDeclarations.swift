import SwiftSyntax
import SwiftSyntaxBuilder

/// What a macro adds to the type it stands on, as source text.
///
/// Little is emitted, because each line is type-checked once per task and build: the arguments that the person wrote,
/// and nothing that has a default.
protocol RegistrationDeclarations {
  var target: TaskTarget { get }

  /// The names that the output declares and that the type declares as well.
  var takenNames: Set<String> { get }

  /// The type of `registration`, as source.
  static var registrationType: String { get }

  var members: [DeclSyntax] { get }

  /// What stands in while there are problems, so that the compiler reports those and nothing that follows from them.
  var stubs: [DeclSyntax] { get }
}

extension RegistrationDeclarations {
  // A computed property with an explicit type: the files that only name it need not type-check what is inside, and in
  // language mode 5 its explicit `nonisolated` is what keeps the isolation in the type of `run` (a stored property's
  // initial value drops the one that comes from default main-actor isolation).
  var registrationHeader: String {
    "\(target.access)nonisolated static var registration: \(Self.registrationType)"
  }

  /// The property with a value of the registration's type, behind what holds the names of values in the annotation against
  /// the members of the type.
  ///
  /// - Parameters:
  ///   - value: as source.
  ///   - finder: what looks for members, as the type's file can name it.
  func registration(_ value: String, finder: String = "\(Self.kit)__NamesInside") -> DeclSyntax {
    let names = target.valueNames
    let checks = names.enumerated().flatMap { number, name in
      [
        "let _name\(number) = \(finder)(self).\(name)",
        "_name\(number).meansTheSameOutside()",
      ]
    }
    let lines = checks + [names.isEmpty ? value : "return \(value)"]
    return Self.source(
      """
      \(registrationHeader) {
        \(lines.joined(separator: "\n  "))
      }
      """)
  }

  var registrationStub: DeclSyntax? {
    takenNames.contains("registration") ? nil : Self.source("\(registrationHeader) { \(Self.neverCalled) }")
  }

  var stubs: [DeclSyntax] { [registrationStub].compactMap { $0 } }
}

// MARK: - Source text

extension RegistrationDeclarations {
  /// What refers to TaskKit whatever types and enums named `TaskKit` the person declares.
  static var kit: String { selector(of: "TaskKit") }

  static func selector(of module: String) -> String { "\(module)::" }

  private static var neverCalled: String { "\(selector(of: "Swift"))fatalError()" }

  /// A declaration that is only text: the compiler parses what it gets, so to parse it here as well would cost each
  /// build the same work twice, once in a plugin that may be unoptimised.
  static func source(_ text: String) -> DeclSyntax {
    DeclSyntax(MissingDeclSyntax(placeholder: .identifier(text)))
  }

  static func quoted(_ text: String) -> String {
    StringLiteralExprSyntax(content: text).description
  }

  /// An array literal, on one line while it has one element.
  static func list(_ elements: [String]) -> String {
    elements.count < 2 ? line(elements) : "[\n      \(elements.joined(separator: ",\n      "))]"
  }

  /// An array literal on one line.
  static func line(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }

  /// An argument of a task's registration.
  ///
  /// - Parameter list: how an array literal is laid out.
  static func argument(_ option: Annotation.Option, list: ([String]) -> String) -> String {
    switch option {
    case .verbatim(let label, let value): "\(label): \(value)"
    case .dependencies(let dependencies):
      "dependencies: "
        + list(dependencies.map { "\(kit)TaskDependency(__type: \($0.type).self, \(quoted($0.name)))" })
    }
  }
}
