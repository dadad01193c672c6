import SwiftSyntax

extension TaskTarget {
  /// Reports what keeps the registry, in another file, from referring to the type.
  func checkVisibility(problems: inout Problems) {
    if let modifier = declaration.modifiers.first(where: {
      $0.detail == nil && Surroundings.hidden.contains($0.name.text)
    }) {
      problems.add(.privateType(declaration, modifier))
    } else if let scope = surroundings.privateScope {
      problems.add(.typeInPrivateScope(declaration, scope: scope))
    }
    if let clause = declaration.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause {
      problems.add(.genericType(declaration, clause))
    } else if let scope = surroundings.genericScope {
      problems.add(.typeInGenericType(declaration, scope: scope))
    }
  }

  /// Reports types of the type's own name inside a class or an actor, where what the macro adds has to name it.
  func checkOwnName(in body: TypeBody, problems: inout Problems) {
    guard kind == .class || kind == .actor else { return }
    let own = declaration.name.plainName
    for member in body.members + body.conditionalMembers
    where member.is(TypeAliasDeclSyntax.self) || member.isProtocol((any DeclGroupSyntax).self) {
      for name in member.declaredNames where name.plainName == own { problems.add(.typeOfOwnName(name, in: self)) }
    }
  }

  /// Reports members whose names the macro's output declares; returns those names.
  func takenNames(_ reserved: Set<String>, in body: TypeBody, problems: inout Problems) -> Set<String> {
    var taken: Set<String> = []
    for member in body.members + body.conditionalMembers where member.belongsToType {
      for name in member.declaredNames where reserved.contains(name.plainName) {
        taken.insert(name.plainName)
        problems.add(.reservedName(name, in: self))
      }
    }
    return taken
  }
}
