import TaskGraph

extension FileReader {
  static let moduleAnnotation = "TaskModule"

  func isModule(_ attribute: AttributeDeclaration) -> Bool { annotationName(attribute) == Self.moduleAnnotation }

  /// The classes and actors with `@TaskModule`, each like a task that has no occasion of its own.
  func taskModules() -> [ScannedTask] {
    let imports = imports()
    return declarations.types.indices.flatMap { taskModules(of: $0, imports: imports) }
  }

  private func taskModules(of type: Int, imports: [ScannedModule.ImportedModule]) -> [ScannedTask] {
    let declaration = declarations.types[type]
    guard declaration.kind == .class || declaration.kind == .actor else { return [] }
    var modules: [ScannedTask] = []
    for attribute in declarations.attributes[declaration.attributes] where isModule(attribute) {
      let module = annotatedType(attribute, of: type, imports: imports)
      // One for each branch of an `#if` around the annotations.
      if modules.allSatisfy(module.excludes) { modules.append(module) }
    }
    return modules
  }

  /// The tasks of a module, as `ModuleRegistration.tasks` lists them.
  func methods(of type: Int, imports: [ScannedModule.ImportedModule]) -> [ScannedTask] {
    taskModules(of: type, imports: imports).flatMap { module in
      launchTask(of: module, type: type)
        + declarations.methods.filter { $0.parent == type }.map { task($0, of: module) }
    }
  }

  /// The task that creates the module at launch, if there is one.
  private func launchTask(of module: ScannedTask, type: Int) -> [ScannedTask] {
    let annotation = declarations.attributes[declarations.types[type].attributes].first { attribute in
      place(attribute.start) == module.place
    }
    guard let annotation, AnnotationReader(annotation, in: self).creation?.memberPath?.last == "atLaunch" else {
      return []
    }
    return [
      module.method(
        "init", name: nil, at: module.place, occasions: [.event("didFinishLaunching")], priority: 1000,
        dependencies: [], after: [])
    ]
  }

  private func task(_ method: MethodDeclaration, of module: ScannedTask) -> ScannedTask {
    let values = AnnotationReader(method.mark, in: self)
    var task = module.method(
      TypePath.plain(source.text(method.name)), name: values.name, at: place(method.mark.start),
      occasions: values.occasions(.event), priority: values.priority, dependencies: values.dependencies + values.needs,
      after: values.after)
    task.events = values.madeEvents(by: task)
    task.eventReferences = values.eventReferences
    task.lane = values.lane
    return task
  }
}

extension ScannedTask {
  /// A method of this module. Its path is that of a member, so that other methods find it by name.
  fileprivate func method(
    _ method: String, name: String?, at place: SourcePlace, occasions: [Occasion], priority: Int,
    dependencies: [TypeReference], after: [NameReference]
  ) -> ScannedTask {
    ScannedTask(
      kind: .event, module: module, path: path + [method], typeName: typeName, name: name ?? "\(self.name).\(method)",
      place: place, namePlace: namePlace, file: file, imports: imports,
      surroundings: [.init(path: path, isExtension: false, supertypes: supertypes)] + surroundings, supertypes: [],
      access: access, extended: extended, occasions: occasions, priority: priority, dependencies: dependencies,
      after: after, conditions: conditions, attributes: attributes, isCollectable: isCollectable, owner: path)
  }
}

extension AnnotationReader {
  var creation: SourceExpression? { value("creation") }

  /// The methods of the same module in `needs:`, as members that are looked for from inside it.
  var needs: [ScannedTask.TypeReference] {
    (value("needs")?.elements ?? []).compactMap { element in
      element.plainString.map {
        .init(path: TypePath(names: [$0]), text: $0, place: place(element.span.start))
      }
    }
  }
}
