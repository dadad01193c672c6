import SwiftDiagnostics
import SwiftSyntax

// What can be wrong with a module and the marks on its methods. See `Diagnostics.swift`.

// MARK: - @TaskModule

extension Diagnostic {
  static func moduleIsNotAnObject(_ attribute: AttributeSyntax, _ target: TaskTarget) -> Diagnostic {
    .error(
      "'\(target.declaration.name.text)' is \(target.kind == .enum ? "an enum" : "a struct"), and a module has one "
        + "instance that its methods share; make it a class or an actor",
      at: attribute)
  }

  static func creationIsNotMember(_ expression: ExprSyntax) -> Diagnostic {
    .error(
      "'\(expression.quotation)' does not tell the build when the module is created; write '.whenNeeded', "
        + "'.atLaunch' or '.byRegistering'",
      at: expression)
  }

  static func noModuleInitialiser(_ target: TaskTarget, _ annotation: ModuleAnnotation) -> Diagnostic {
    let name = target.declaration.name.text
    let modules =
      annotation.dependencies.isEmpty ? "nothing" : "only modules out of 'dependencies:', or nothing"
    return .error(
      "the center cannot create '\(name)', which has no 'init' that takes \(modules); add one, or write "
        + "'creation: .byRegistering' and register an instance",
      at: target.declaration.name)
  }
}

// MARK: - @ModuleTask

extension Diagnostic {
  static func markIsNotOnMethod(_ mark: AttributeSyntax) -> Diagnostic {
    .error(
      "'@\(mark.annotationName)' marks a method of a module, and this is none; move it to a method of a '@TaskModule'",
      at: mark, repairs: [Repair("remove '@\(mark.annotationName)'", .removeLine(mark))])
  }

  static func markInExtension(_ mark: AttributeSyntax, of scope: ExtensionDeclSyntax) -> Diagnostic {
    let type = scope.extendedType.trimmedDescription
    return .error(
      "'@TaskModule' does not see a method in an extension of '\(type)'; move it to the type's own body", at: mark)
  }

  static func markOutsideModule(_ mark: AttributeSyntax, in type: (any NamedDeclSyntax)?) -> Diagnostic {
    let name = type.map { "'\($0.name.text)'" } ?? "the type around it"
    return .error(
      "\(name) is not a module, so nobody would call the method; annotate \(name) with '@TaskModule'", at: mark)
  }

  static func conditionalMethod(_ method: FunctionDeclSyntax) -> Diagnostic {
    .error(
      "'\(method.name.text)' inside '#if' cannot be seen; declare it outside, with the '#if' in its body",
      at: method.name)
  }

  static func conditionalMark(_ mark: AttributeSyntax) -> Diagnostic {
    .error(
      "'@\(mark.annotationName)' inside '#if' cannot be seen; write it outside, with the '#if' in the method's body",
      at: mark)
  }

  static func secondMark(
    _ mark: AttributeSyntax, on method: FunctionDeclSyntax, first: AttributeSyntax
  ) -> Diagnostic {
    let name = mark.annotationName
    return .error(
      "'\(method.name.text)' is one task, and has two '@\(name)'; list all events behind 'events:' of one of them",
      at: mark, repairs: [Repair("remove this '@\(name)'", .removeLine(mark))],
      notes: [("the first one is here", Syntax(first))])
  }

  static func methodIsStatic(_ method: FunctionDeclSyntax, _ modifier: DeclModifierSyntax) -> Diagnostic {
    .error(
      "'\(method.name.text)' is \(modifier.name.text), and a module's tasks are methods of its instance; remove "
        + "'\(modifier.name.text)'",
      at: modifier, repairs: [Repair("remove '\(modifier.name.text)'", .remove(modifier))])
  }

  static func methodOfSameName(_ method: FunctionDeclSyntax, first: FunctionDeclSyntax) -> Diagnostic {
    .error(
      "two tasks of the module would be called '\(method.name.text)'; give one of the methods another name",
      at: method.name, notes: [("the other one is here", Syntax(first.name))])
  }
}

// MARK: - needs:

extension Diagnostic {
  static func needsIsNotLiteral(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error(
      "'needs:' is not an array literal, which the build needs to read it; write '[\"first\", \"second\"]'",
      at: argument.expression)
  }

  static func needsIsNotName(_ expression: ExprSyntax) -> Diagnostic {
    .error(
      "'\(expression.quotation)' does not tell the build which method it is; write its name between quotes, or "
        + "a type in 'dependencies:'",
      at: expression, repairs: Repair.plain(expression))
  }

  static func needsItself(_ element: ArrayElementSyntax, in list: ArrayExprSyntax) -> Diagnostic {
    let text = element.expression.quotation
    return .error(
      "a task cannot wait for itself; remove '\(text)'", at: element.expression,
      repairs: [Repair("remove '\(text)'", .remove(element, from: list.elements))])
  }

  static func needsUnknownMethod(_ expression: ExprSyntax, named name: String, _ methods: [String]) -> Diagnostic {
    let known = methods.map { "'\($0)'" }.joined(separator: ", ")
    return .error(
      "'\(name)' is no marked method of this module; it has \(known)", at: expression)
  }
}
