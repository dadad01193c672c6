import TaskGraph

// What is wrong with modules. Where the macro knows the same mistake, it says the same words.

extension Problem {
  static func moduleIsNotAnObject(_ name: String, kind: TypeDeclaration.Kind, at place: SourcePlace) -> Problem {
    scanner(
      "'\(name)' is \(kind.noun), and a module has one instance that its methods share; make it a class or an actor",
      at: place)
  }

  static func notAModule(_ annotation: String, but noun: String, at place: SourcePlace) -> Problem {
    scanner(
      "'@\(annotation)' declares a module by a type with one instance, and this is \(noun); move it to a class or an actor",
      at: place)
  }

  static func creationIsNotMember(_ text: String, at place: SourcePlace) -> Problem {
    scanner(
      "'\(text)' does not tell the build when the module is created; write '.whenNeeded', '.atLaunch' or "
        + "'.byRegistering'", at: place)
  }

  static func moduleInheritsFromModule(_ module: ScannedTask, _ superclass: ScannedTask) -> Problem {
    scanner(
      "module '\(module.name)' inherits from module '\(superclass.name)', whose registration a subclass cannot declare "
        + "again; remove '@TaskModule' from one of them, or let one depend on the other instead",
      at: module.place, notes: [Note("'\(superclass.name)' is declared here", place: superclass.place)])
  }

  /// A type in `dependencies:` for which no module was found.
  static func unresolvedModule(
    _ reference: ScannedTask.TypeReference, of module: ScannedTask, _ reason: TypeResolver.Reason,
    in modules: [ScannedTask]
  ) -> Problem {
    let beginning = "module '\(module.name)' needs '\(reference.text)'"
    func declared(_ number: Int) -> Note {
      Note("'\(modules[number].name)' is declared here", place: modules[number].place)
    }
    switch reason {
    case .notImported(let number):
      let name = modules[number].module
      return scanner(
        "\(beginning) of module '\(name)', which this file does not import; add 'import \(name)'", at: reference.place,
        notes: [declared(number)])
    case .notATask(let type):
      return scanner(
        "\(beginning), which is a type but no module; annotate it with '@TaskModule', or remove it from 'dependencies:'",
        at: reference.place,
        notes: [Note("'\(type.path.joined(separator: "."))' is declared here", place: type.place)])
    case .ownMember(let place): return memberOfItself(reference, of: module, place)
    case .selfType(let around): return selfInAnnotation(reference, of: module, around: around)
    case .brokenAlias(let alias, let near):
      return scanner(
        "\(beginning), an alias of '\(alias.target.text)', which is not found in module '\(module.module)' or in one that "
          + "it depends on; write the module's type itself\(hint(near.map { modules[$0] }))",
        at: reference.place,
        notes: [Note("the alias is declared here", place: alias.place)] + (near.map { [declared($0)] } ?? []))
    case .unknown(let near):
      return scanner(
        "\(beginning), which is not declared in module '\(module.module)' or in one that it depends on"
          + hint(near.map { modules[$0] }),
        at: reference.place, notes: near.map { [declared($0)] } ?? [])
    }
  }
}
