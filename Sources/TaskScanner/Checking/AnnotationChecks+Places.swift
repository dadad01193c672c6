import TaskGraph

/// Annotations on functions, variables and whatever else is no type: the compiler says only that a macro of this kind cannot
/// be attached to it, twice.
extension AnnotationChecks {
  func problemsOfPlaces() -> [(annotation: String, problem: Problem)] {
    guard !file.declarations.misplaced.isEmpty else { return [] }
    // Where the file does not say that it sees TaskKit the annotation may be somebody else's.
    let libraries = ["TaskKit", "TaskKitDurable"]
    guard file.imports().contains(where: { libraries.contains($0.name) }) else { return [] }
    return file.declarations.misplaced.compactMap(problem)
  }

  private func problem(of misplaced: MisplacedAnnotation) -> (annotation: String, problem: Problem)? {
    let attribute = misplaced.attribute
    let name = file.annotationName(attribute)
    let place = file.place(attribute.start)
    let noun = noun(of: misplaced)
    if file.isModule(attribute) { return (name, .notAModule(name, but: noun, at: place)) }
    if file.isKind(attribute) { return (name, .notAJob(name, but: noun, at: place)) }
    guard let kind = file.kind(of: attribute) else { return nil }
    if kind == .event, misplaced.keyword == .func, misplaced.parent.map(isModule) == true {
      return (name, .notAMark(name, at: place))
    }
    return (name, .notAType(name, but: noun, at: place))
  }

  private func isModule(_ type: Int) -> Bool {
    file.declarations.attributes[file.declarations.types[type].attributes].contains(where: file.isModule)
  }

  private func noun(of misplaced: MisplacedAnnotation) -> String {
    switch misplaced.keyword {
    case .func: misplaced.parent == nil ? "a function" : "a method"
    case .var: misplaced.parent == nil ? "a variable" : "a property"
    case .let: misplaced.parent == nil ? "a constant" : "a property"
    case .typealias: "a type alias"
    case .case: "an enum case"
    case .`init`: "an initializer"
    case .deinit: "a deinitializer"
    case .subscript: "a subscript"
    default: "an associated type"
    }
  }
}

extension TypeDeclaration.Kind {
  /// What a message calls it.
  var noun: String { (self == .enum || self == .extension || self == .actor ? "an " : "a ") + rawValue }
}
