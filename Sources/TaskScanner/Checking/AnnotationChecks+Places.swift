import TaskGraph

/// Annotations on functions, variables and whatever else is no type: the compiler says only that a macro of this kind cannot
/// be attached to it, twice. Whether they are TaskKit's, ``PlaceChecks`` finds out.
extension AnnotationChecks {
  func misplacedAnnotations() -> [ScannedModule.Misplaced] {
    guard !file.declarations.misplaced.isEmpty else { return [] }
    let imports = file.imports().filter { $0.conditions.isEmpty && $0.member == nil }.map(\.name)
    return file.declarations.misplaced.compactMap { misplaced($0, imports: imports) }
  }

  private func misplaced(_ misplaced: MisplacedAnnotation, imports: [String]) -> ScannedModule.Misplaced? {
    let attribute = misplaced.attribute
    // A branch may be one that is never compiled.
    guard misplaced.branch == nil, attribute.branch == nil else { return nil }
    let name = file.annotationName(attribute)
    let place = file.place(attribute.start)
    let noun = noun(of: misplaced)
    func found(
      _ problem: Problem, library: String = "TaskKit", inExtension: (of: [String], problem: Problem)? = nil
    ) -> ScannedModule.Misplaced {
      .init(annotation: name, library: library, imports: imports, problem: problem, inExtension: inExtension)
    }
    if file.isModule(attribute) { return found(.notAModule(name, but: noun, at: place)) }
    if file.isKind(attribute) { return found(.notAJob(name, but: noun, at: place), library: "TaskKitDurable") }
    guard let kind = file.kind(of: attribute) else { return nil }
    let problem = Problem.notAType(name, but: noun, at: place)
    guard kind == .event, misplaced.keyword == .func, let parent = misplaced.parent else { return found(problem) }
    if isModule(parent) { return found(.notAMark(name, at: place)) }
    guard file.declarations.types[parent].kind == .extension else { return found(problem) }
    return found(
      problem,
      inExtension: (file.path(of: parent).plainNames, .notAMark(name, isInExtension: true, at: place)))
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
