import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What an annotation stands on, and where: all that both roles of a macro need to know.
struct TaskTarget {
  enum Kind {
    case `enum`, `struct`, `class`, `actor`
  }

  typealias Declaration = DeclGroupSyntax & NamedDeclSyntax

  /// The annotations that declare a task, or a module of them. A type carries one of them.
  static let annotations: Set<String> = [
    "DurableTask", "EventTask", "NotificationTask", "ScheduleTask", "SequenceTask", "TaskModule",
  ]

  let attribute: AttributeSyntax
  let declaration: any Declaration
  let kind: Kind
  let surroundings: Surroundings
  private let known: TaskPlace?

  /// Where the annotation stands. Asking the compiler for a place is dear, and not every role needs it.
  ///
  /// - Precondition: the target was read with its place.
  var place: TaskPlace {
    guard let known else { preconditionFailure("a target that was read without its place was asked for it") }
    return known
  }

  /// Reads what the annotation stands on; nil, with a problem that says why, where no task can be declared at all.
  ///
  /// - Parameter isPlaced: whether the role asks for the place, the module or the name.
  init?(
    _ attribute: AttributeSyntax, on syntax: some SyntaxProtocol, in context: some MacroExpansionContext,
    isPlaced: Bool, problems: inout Problems
  ) {
    guard let (declaration, kind) = Self.nominalType(syntax) else {
      problems.add(.notAType(attribute, on: syntax))
      return nil
    }
    let place = isPlaced ? TaskPlace(of: attribute, in: context) : nil
    let annotations = declaration.attributes.compactMap { Self.annotation($0) }
    // The attribute is not a part of the declaration here: by its place alone it is known to be the first or not.
    if annotations.count > 1, let first = annotations.first,
      TaskPlace(of: first, in: context) != place ?? TaskPlace(of: attribute, in: context)
    {
      problems.add(.secondAnnotation(attribute, on: declaration, first: first))
      return nil
    }
    let surroundings = Surroundings(context.lexicalContext)
    if surroundings.isLocal {
      problems.add(.localType(declaration))
      return nil
    }
    self.attribute = attribute
    self.declaration = declaration
    self.kind = kind
    self.surroundings = surroundings
    known = place
  }

  /// The annotation's name as the source spells it, without its module.
  var annotationName: String { attribute.annotationName }

  /// The task's name: the module and the type's path in it.
  var fullName: String { path.joined(separator: ".") }

  /// The module and the names of the enclosing types, outermost first, then the type's own.
  var path: [String] { [place.module] + surroundings.path + [declaration.name.plainName] }

  /// The `distributed` of an actor.
  var distributedModifier: DeclModifierSyntax? { declaration.modifiers.first { $0.name.text == "distributed" } }

  /// The names by which others may call the task when the annotation gives it none.
  var names: Set<String> { [fullName, path.dropFirst().joined(separator: ".")] }

  /// The access that members need to witness a conformance: that of the type, where it is seen outside its module.
  var access: String {
    let own = declaration.modifiers.lazy.compactMap { Surroundings.accessLevel($0) }.first
    return switch own ?? surroundings.extensionAccess {
    case "public", "open": "public "
    case "package": "package "
    default: ""
    }
  }

  /// Whether it is private inside another type, where not even its own file can extend it.
  var isHiddenInType: Bool {
    !surroundings.path.isEmpty && declaration.modifiers.contains { $0.detail == nil && $0.name.text == "private" }
  }

  /// The `@available` of the type and of those around it: the conformance needs them as well.
  var availability: [String] {
    surroundings.availability + Surroundings.availability(declaration.attributes)
  }

  private static func nominalType(_ declaration: some SyntaxProtocol) -> (any Declaration, Kind)? {
    switch Syntax(declaration).as(SyntaxEnum.self) {
    case .enumDecl(let declaration): (declaration, .enum)
    case .structDecl(let declaration): (declaration, .struct)
    case .classDecl(let declaration): (declaration, .class)
    case .actorDecl(let declaration): (declaration, .actor)
    default: nil
    }
  }

  private static func annotation(_ element: AttributeListSyntax.Element) -> AttributeSyntax? {
    guard case .attribute(let attribute) = element, annotations.contains(attribute.annotationName) else { return nil }
    return attribute
  }
}
