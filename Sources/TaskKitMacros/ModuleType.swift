import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What an annotated class or actor declares that its module needs, read once.
struct ModuleType {
  /// A marked method with what its mark says.
  struct Method {
    let run: RunMethod
    let annotation: Annotation
    let place: TaskPlace

    /// As the label of an argument, where backticks that are not needed are a warning.
    var label: String { label(escaping: ["inout"]) }

    /// The parameter of that label, called `context`.
    var parameter: String {
      // Twice the same is a warning.
      label == "context" ? label : label(escaping: ["inout", "let", "var"]) + " context"
    }

    private func label(escaping keywords: Set<String>) -> String {
      let name = run.declaration.name.plainName
      let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && name.first?.isNumber == false
      return isWord && !keywords.contains(name) ? name : "`\(name)`"
    }
  }

  private(set) var methods: [Method] = []

  /// How the instance is made; nil where nobody makes it, or a problem says why.
  private(set) var creation: ModuleInitialiser?

  /// The names that the macro's output declares and that the type declares as well.
  private(set) var takenNames: Set<String> = []

  /// Reads the type and reports everything that keeps it from being a module, as far as its own source tells.
  init(
    _ target: TaskTarget, _ annotation: ModuleAnnotation, in context: some MacroExpansionContext,
    problems: inout Problems
  ) {
    let body = TypeBody(target.declaration)
    target.checkVisibility(problems: &problems)
    target.checkOwnName(in: body, problems: &problems)
    if let modifier = target.distributedModifier { problems.add(.distributedActor(modifier, target.declaration)) }
    takenNames = target.takenNames(["registration", "_makeModule", "_moduleTask"], in: body, problems: &problems)
    readMethods(body, target, annotation, in: context, problems: &problems)
    if annotation.creation != .byRegistering {
      creation = ModuleInitialiser(body, annotation)
      if creation == nil { problems.add(.noModuleInitialiser(target, annotation)) }
    }
  }
}

// MARK: - Methods

extension ModuleType {
  private mutating func readMethods(
    _ body: TypeBody, _ target: TaskTarget, _ annotation: ModuleAnnotation, in context: some MacroExpansionContext,
    problems: inout Problems
  ) {
    let moduleNames: Set<String> = if let name = annotation.name { [name] } else { target.names }
    for member in body.conditionalMembers {
      guard let method = member.as(FunctionDeclSyntax.self), !method.attributes.marks.isEmpty else { continue }
      problems.add(.conditionalMethod(method))
    }
    for mark in body.functions.flatMap(\.attributes.conditional.marks) { problems.add(.conditionalMark(mark)) }
    let marked = body.functions.compactMap { method in method.attributes.plain.marks.first.map { (method, $0) } }
    for (method, mark) in marked {
      let first = marked.first { $0.0.name.plainName == method.name.plainName }
      if let first, first.0.id != method.id {
        problems.add(.methodOfSameName(method, first: first.0))
        continue
      }
      for second in method.attributes.plain.marks.dropFirst() {
        problems.add(.secondMark(second, on: method, first: mark))
      }
      if let modifier = method.modifiers.first(where: { $0.name.text == "static" || $0.name.text == "class" }) {
        problems.add(.methodIsStatic(method, modifier))
        continue
      }
      let found = RunMethod.problems(of: method)
      for problem in found { problems.add(problem.about(method)) }
      var unheard = Problems()
      guard found.isEmpty, let run = RunMethod(method, problems: &unheard) else { continue }
      checkNeeds(mark, of: method, among: marked.map(\.0), problems: &problems)
      let names = Set(moduleNames.map { "\($0).\(method.name.plainName)" })
      methods.append(
        Method(
          run: run, annotation: Annotation(event: mark, on: target, names: names, problems: &problems),
          place: TaskPlace(of: mark, in: context)))
    }
  }

  /// `needs:` names marked methods of the type, each once and not the one that it stands on.
  private func checkNeeds(
    _ mark: AttributeSyntax, of method: FunctionDeclSyntax, among methods: [FunctionDeclSyntax],
    problems: inout Problems
  ) {
    guard let argument = Arguments(mark)["needs"] else { return }
    guard let list = argument.expression.as(ArrayExprSyntax.self) else {
      problems.add(.needsIsNotLiteral(argument))
      return
    }
    var seen: Set<String> = []
    for element in list.elements {
      guard let name = element.expression.plainString else {
        problems.add(.needsIsNotName(element.expression))
        continue
      }
      if name == method.name.plainName {
        problems.add(.needsItself(element, in: list))
      } else if !methods.contains(where: { $0.name.plainName == name }) {
        problems.add(.needsUnknownMethod(element.expression, named: name, methods.map(\.name.plainName)))
      } else if !seen.insert(name).inserted {
        problems.add(.duplicateDependency(element, named: name, in: list))
      }
    }
  }
}

extension AttributeListSyntax {
  fileprivate var marks: [AttributeSyntax] { (plain + conditional).marks }
}

extension [AttributeSyntax] {
  /// The `@ModuleTask` among them.
  fileprivate var marks: [AttributeSyntax] { filter { $0.annotationName == ModuleTaskMacro.name } }
}

extension Diagnostic {
  /// The same about a method that is not called `run`.
  fileprivate func about(_ method: FunctionDeclSyntax) -> Diagnostic {
    let text = message.replacing("'run'", with: "'\(method.name.plainName)'")
    return Diagnostic(
      node: node, message: TaskMessage(text, id: diagnosticID), notes: notes, fixIts: fixIts)
  }
}

extension TaskMessage {
  fileprivate init(_ message: String, id: MessageID) {
    self.message = message
    self.id = id
  }
}
