import TaskGraph

/// What the types in `dependencies:` stand for, one declaration after the other.
struct ResolvedReferences {
  /// By declaration: those that are found, in the order of the annotation. Where branches of `#if` declare one of them, each
  /// branch's is listed.
  private(set) var references: [[Reference]]
  /// The numbers of the same.
  private(set) var found: [[Int]]
  /// By declaration: whether one may stand for another than what is found, or be in a module that is not scanned.
  private(set) var isOpen: [Bool]
  private(set) var problems: [Problem] = []

  /// - Parameters:
  ///   - resolver: of the declarations, which depend on each other.
  ///   - refused: of those that cannot be collected; what needs them is no mistake of its own.
  ///   - problem: what to say of a type that a declaration names, and that stands for none.
  init(
    _ resolver: TypeResolver, refused: TypeResolver, in scope: ScanScope,
    problem: (ScannedTask.TypeReference, ScannedTask, TypeResolver.Reason) -> Problem
  ) {
    let declarations = resolver.tasks
    references = [[Reference]](repeating: [], count: declarations.count)
    found = [[Int]](repeating: [], count: declarations.count)
    isOpen = [Bool](repeating: false, count: declarations.count)
    for (number, declaration) in declarations.enumerated() {
      for reference in declaration.dependencies {
        switch resolver.resolve(reference, from: declaration) {
        case .tasks(let found): add(found, for: reference, of: number)
        case .undecided(let found):
          isOpen[number] = true
          add(found, for: reference, of: number)
        case .none where refused.finds(reference, from: declaration): break
        case .none(let reason) where reason.mayBeElsewhere && !scope.seesEverything(from: declaration):
          isOpen[number] = true
        case .none(let reason): problems.append(problem(reference, declaration, reason))
        }
      }
    }
  }

  private mutating func add(_ more: [Int], for reference: ScannedTask.TypeReference, of declaration: Int) {
    found[declaration] += more
    references[declaration] += more.map { Reference(.task($0), text: reference.text, place: reference.place) }
  }
}
