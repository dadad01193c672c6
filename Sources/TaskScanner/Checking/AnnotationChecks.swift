import TaskGraph

/// Finds what is wrong with the annotations of a file, each taken for itself: a type that the registry cannot see, an
/// argument that the build cannot read, options that contradict each other.
///
/// The macro knows most of these mistakes too, and says the same words; but the build tool runs before it, and would
/// otherwise report only what follows from them.
struct AnnotationChecks {
  let file: FileReader
  /// The time zones that the building machine can list.
  let zones: () -> [String]
  private(set) var problems: [Problem] = []
  /// What the macro says better, if it is asked.
  private(set) var problemsOfMacros: [Problem] = []
  /// See ``ScannedModule/misplaced``.
  private(set) var misplaced: [ScannedModule.Misplaced] = []

  static func run(in file: FileReader, zones: @escaping () -> [String]) -> AnnotationChecks {
    var checks = AnnotationChecks(file: file, zones: zones)
    for type in file.declarations.types.indices { checks.check(type: type) }
    checks.misplaced = checks.misplacedAnnotations()
    return checks
  }

  private init(file: FileReader, zones: @escaping () -> [String]) {
    self.file = file
    self.zones = zones
  }

  mutating func report(_ problem: Problem) { problems.append(problem) }

  /// For what the macro says with a repair: it is asked unless something else stops the build.
  mutating func refuse(_ problem: Problem) { problemsOfMacros.append(problem) }

  func place(_ span: SourceSpan) -> SourcePlace { file.place(span.start) }

  func text(_ span: SourceSpan) -> String { file.source.text(span) }

  private mutating func check(type index: Int) {
    let type = file.declarations.types[index]
    var taken: [AttributeDeclaration] = []
    for attribute in file.declarations.attributes[type.attributes] {
      let kind = file.kind(of: attribute)
      guard kind != nil || file.isModule(attribute) || file.isKind(attribute) else { continue }
      // What is no type the compiler refuses as well, and a branch may be one that is never compiled.
      guard type.kind.isNominal || (type.branch == nil && attribute.branch == nil) else { continue }
      if let first = taken.first(where: { !areExclusive($0.branch, attribute.branch) }) {
        let problem = Problem.secondAnnotation(
          name(type), at: file.place(attribute.start), first: file.place(first.start))
        // A macro does not see an annotation in an '#if' of its own: it takes itself for the only one.
        if attribute.branch == type.branch, first.branch == type.branch { refuse(problem) } else { report(problem) }
        continue
      }
      taken.append(attribute)
      if file.isKind(attribute) {
        check(durable: index, attribute, isFirst: taken.count == 1)
        continue
      }
      guard let kind else {
        check(module: index, attribute, isFirst: taken.count == 1)
        continue
      }
      guard type.kind.isNominal else {
        report(.notAType(kind.rawValue, but: type.kind.noun, at: file.place(attribute.start)))
        continue
      }
      if taken.count == 1 { checkVisibility(of: index) }
      checkOptions(kind, attribute)
    }
  }

  private func areExclusive(_ first: Int?, _ second: Int?) -> Bool {
    file.conditions(first).exclude(file.conditions(second))
  }
}

// MARK: - What the registry can see

extension AnnotationChecks {
  mutating func checkVisibility(of index: Int) {
    let type = file.declarations.types[index]
    let name = name(type)
    let place = place(type.name)
    if type.isLocal {
      report(.localType(name, at: place))
      return
    }
    if type.isHidden {
      refuse(.privateType(name, level: type.modifiers.accessLevel ?? "private", at: place))
    } else if let scope = enclosing(index, where: \.isHidden) {
      report(.typeInPrivateScope(name, scope: scope, at: place))
    }
    if type.isGeneric {
      refuse(.genericType(name, at: place))
    } else if let scope = enclosing(index, where: { $0.isGeneric || file.isConstrained($0) }) {
      report(.typeInGenericType(name, scope: scope, at: place))
    }
  }

  func name(_ type: TypeDeclaration) -> String { TypePath.plain(text(type.name)) }

  private func enclosing(_ index: Int, where condition: (TypeDeclaration) -> Bool) -> String? {
    var outer = file.declarations.types[index].parent
    while let current = outer {
      let type = file.declarations.types[current]
      if condition(type) { return file.expression(type.name).quotation }
      outer = type.parent
    }
    return nil
  }
}
