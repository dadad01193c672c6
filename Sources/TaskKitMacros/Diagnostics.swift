import SwiftDiagnostics
import SwiftSyntax

// Every mistake that the macros report, one function each. The function's name is the stable id of the diagnostic
// (`taskKit.noRun`); the tests hold the two together.

// MARK: - What the annotation stands on

extension Diagnostic {
  /// Another declaration than a type; the compiler lets it come to a macro where it is a protocol.
  static func notAType(_ attribute: AttributeSyntax, on declaration: some SyntaxProtocol) -> Diagnostic {
    let (name, place) = (attribute.annotationName, attribute.attributeName)
    let noun =
      switch Syntax(declaration).as(SyntaxEnum.self) {
      case .protocolDecl: "a protocol"
      case .extensionDecl: "an extension"
      default: "none"
      }
    if name == "TaskModule" {
      return .error(
        "'@\(name)' declares a module by a type with one instance, and this is \(noun); move it to a class or an actor",
        at: place)
    }
    if name == "DurableTask" || Arguments(attribute)["durable"] != nil {
      return .error(
        "'@\(name)' declares a kind of job by a type, and this is \(noun); move it to a struct, enum or final class with a "
          + "'run'", at: place)
    }
    return .error(
      "'@\(name)' declares a task by a type, and this is \(noun); move it to an enum, struct, class or actor with a 'run'",
      at: place)
  }

  static func secondAnnotation(
    _ attribute: AttributeSyntax, on type: any NamedDeclSyntax, first: AttributeSyntax
  ) -> Diagnostic {
    .error(
      "'\(type.name.text)' is a task already, and a type is one task; use one annotation, or a second type",
      at: attribute.attributeName,
      repairs: [Repair("remove this '@\(attribute.annotationName)'", .removeLine(attribute))],
      notes: [("the first annotation is here", Syntax(first.attributeName))])
  }

  static func localType(_ type: any NamedDeclSyntax) -> Diagnostic {
    .error(
      "'\(type.name.text)' is declared inside a function, where the registry cannot see it; move it out", at: type.name)
  }

  static func privateType(_ type: any NamedDeclSyntax, _ modifier: DeclModifierSyntax) -> Diagnostic {
    .error(
      "'\(type.name.text)' is \(modifier.name.text), so the registry in another file cannot see it; make it internal",
      at: modifier, repairs: [Repair("remove '\(modifier.name.text)'", .remove(modifier))])
  }

  static func typeInPrivateScope(_ type: any NamedDeclSyntax, scope: String) -> Diagnostic {
    .error(
      "'\(type.name.text)' is declared in '\(scope)', which is private, so the registry in another file cannot see it; "
        + "make '\(scope)' internal, or move the task out", at: type.name)
  }

  static func genericType(_ type: any NamedDeclSyntax, _ clause: GenericParameterClauseSyntax) -> Diagnostic {
    .error(
      "'\(type.name.text)' is generic, and a task is one type; remove the generic parameters",
      at: clause, repairs: [Repair("remove '\(clause.quotation)'", .replace(clause, with: ""))])
  }

  static func typeInGenericType(_ type: any NamedDeclSyntax, scope: String) -> Diagnostic {
    let outer = scope.isEmpty ? "a generic type" : "'\(scope)', which is generic"
    return .error(
      "'\(type.name.text)' is declared in \(outer), and a task is one type; move it out", at: type.name)
  }

  static func classIsNotFinal(_ declaration: ClassDeclSyntax) -> Diagnostic {
    let open = declaration.modifiers.first { $0.name.text == "open" }
    let repair =
      if let open {
        Repair("replace 'open' with 'public final'", .replace(open, with: "public final"))
      } else {
        Repair("add 'final'", .replace(declaration.classKeyword, with: "final class"))
      }
    return .error(
      "class '\(declaration.name.text)' is not final, and a subclass would declare the same task again; add 'final'",
      at: declaration.classKeyword, repairs: [repair])
  }

  static func notCopyable(
    _ type: any NamedDeclSyntax, _ inherited: InheritedTypeSyntax, in clause: InheritanceClauseSyntax
  ) -> Diagnostic {
    let isAlone = clause.inheritedTypes.count == 1
    return .error(
      "'\(type.name.text)' is '\(inherited.type.quotation)', and a task's type is handed on as any other type is; remove it",
      at: inherited.type,
      repairs: [
        Repair(
          "remove '\(inherited.type.quotation)'",
          isAlone ? .remove(clause, spaced: true) : .remove(inherited, from: clause.inheritedTypes))
      ])
  }

  static func distributedActor(_ modifier: DeclModifierSyntax, _ type: any NamedDeclSyntax) -> Diagnostic {
    .error(
      "'\(type.name.text)' is a distributed actor, whose instances only an actor system makes; remove 'distributed', or let "
        + "another type call one",
      at: modifier, repairs: [Repair("remove 'distributed'", .remove(modifier))])
  }

  static func typeOfOwnName(_ name: TokenSyntax, in target: TaskTarget) -> Diagnostic {
    .error(
      "'\(name.plainName)' means this type in what '@\(target.annotationName)' adds to the one around it; give one of them "
        + "another name", at: name)
  }

  static func reservedName(_ name: TokenSyntax, in target: TaskTarget) -> Diagnostic {
    .error(
      "'\(name.plainName)' is a member that '@\(target.annotationName)' adds to '\(target.declaration.name.text)'; "
        + "give yours another name", at: name)
  }
}

extension Diagnostic {
  static func memberOfItself(_ name: TokenSyntax, of target: TaskTarget, _ member: TokenSyntax) -> Diagnostic {
    let type = target.declaration.name.plainName
    return .error(
      "'\(name.plainName)' is a member of '\(type)', and means that one where the macro puts it, but not here; write what is "
        + "around the one that you mean in front, as in '\(target.place.module).\(name.plainName)', or give the member "
        + "another name",
      at: name, notes: [("the member is declared here", Syntax(member))])
  }
}

extension Diagnostic {
  static func selfInAnnotation(_ name: TokenSyntax, of target: TaskTarget) -> Diagnostic {
    let outer = target.surroundings.spelling.joined(separator: ".")
    return .error(
      "'Self' means '\(target.declaration.name.plainName)' where the macro puts it, but not here; write '\(outer)'",
      at: name, repairs: [Repair("replace 'Self' with '\(outer)'", .replace(name, with: outer))])
  }
}

// MARK: - name:

extension Diagnostic {
  static func nameIsNotLiteral(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error(
      "'name:' is not a plain string literal, which the build needs to read it; write the name between quotes",
      at: argument.expression, repairs: Repair.plain(argument.expression))
  }

  static func emptyName(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    .error(
      "'name:' is empty; write a name, or leave it out to use the type's path",
      at: argument.expression, repairs: [Repair("remove 'name:'", .remove(argument, from: list))])
  }
}

// MARK: - dependencies: and after:

extension Diagnostic {
  static func dependenciesAreNotLiteral(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error(
      "'dependencies:' is not an array literal, which the build needs to read it; write '[First.self, Second.self]'",
      at: argument.expression)
  }

  static func dependencyIsNotType(_ expression: ExprSyntax) -> Diagnostic {
    let text = expression.quotation
    if expression.is(StringLiteralExprSyntax.self) {
      return .error("\(text) is a name, and a dependency is a type; write 'Type.self', or use 'after:'", at: expression)
    }
    let repairs =
      expression.namePath == nil
      ? [] : [Repair("add '.self'", .replace(expression, with: expression.trimmedDescription + ".self"))]
    return .error(
      "'\(text)' does not tell the build which task it is; write 'Type.self'", at: expression, repairs: repairs)
  }

  static func duplicateDependency(
    _ element: ArrayElementSyntax, named name: String, in list: ArrayExprSyntax
  ) -> Diagnostic {
    .error(
      "dependency '\(name)' is listed twice; remove one of them", at: element.expression,
      repairs: [Repair("remove the second '\(name)'", .remove(element, from: list.elements))])
  }

  static func dependsOnItself(_ element: ArrayElementSyntax, in list: ArrayExprSyntax) -> Diagnostic {
    .error(
      "a task cannot wait for itself; remove '\(element.expression.quotation)'", at: element.expression,
      repairs: [
        Repair("remove '\(element.expression.quotation)'", .remove(element, from: list.elements))
      ])
  }

  static func afterIsNotLiteral(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error(
      "'after:' is not an array literal, which the build needs to read it; write '[\"First\", .optional(\"Second\")]'",
      at: argument.expression)
  }

  static func afterIsNotName(_ expression: ExprSyntax) -> Diagnostic {
    let text = expression.quotation
    if expression.metatype != nil {
      return .error(
        "'\(text)' is a type, and 'after:' takes names; write a string, or use 'dependencies:'", at: expression)
    }
    return .error(
      "'\(text)' does not tell the build which task it is; write a plain string literal or '.optional(\"Name\")'",
      at: expression, repairs: Repair.plain(expression))
  }

  static func duplicateAfter(
    _ element: ArrayElementSyntax, named name: String, in list: ArrayExprSyntax
  ) -> Diagnostic {
    .error(
      "'\(name)' is listed twice in 'after:'; remove one of them", at: element.expression,
      repairs: [Repair("remove the second '\(name)'", .remove(element, from: list.elements))])
  }

  static func followsItself(
    _ element: ArrayElementSyntax, named name: String, in list: ArrayExprSyntax
  ) -> Diagnostic {
    .error(
      "'\(name)' is this task, which cannot come after itself; remove it", at: element.expression,
      repairs: [Repair("remove '\(name)'", .remove(element, from: list.elements))])
  }
}

// MARK: - timeout: and retry:

extension Diagnostic {
  static func timeoutIsNotPositive(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    .error(
      "a timeout of '\(argument.expression.quotation)' is over before the task starts; write a longer one",
      at: argument.expression.durationNumber, repairs: [Repair("remove 'timeout:'", .remove(argument, from: list))])
  }

  static func attemptsBelowOne(_ attempts: ExprSyntax) -> Diagnostic {
    .error(
      "a task is tried at least once, and 'attempts' is \(attempts.quotation); write 1 or more",
      at: attempts,
      repairs: [Repair("replace '\(attempts.quotation)' with '1'", .replace(attempts, with: "1"))])
  }
}
