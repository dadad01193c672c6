/// Finds the circles in which tasks wait for each other.
///
/// What waits is a task *at an occasion*: `after` orders only inside one occasion, and a dependency is that of the same
/// occasion if the other task runs there too, else the latest run at any occasion that can have come. A circle among those
/// pairs can never be satisfied, or lets two running occasions wait for each other; everything else is sound.
struct CycleFinder {
  private struct Link: Hashable {
    var dependent: Int
    var prerequisite: Int
  }

  private let tasks: [DeclaredTask]
  private let resolutions: [GraphProof.Resolution]
  /// The task to which each node (a task at an occasion) belongs.
  private var owner: [Int] = []
  private var edges: [DependencyGraph.Edge] = []

  init(_ tasks: [DeclaredTask], _ resolutions: [GraphProof.Resolution]) {
    self.tasks = tasks
    self.resolutions = resolutions
    var firstNode: [Int] = []
    let occasions = tasks.map { task in
      var distinct: [Occasion] = []
      for occasion in task.occasions where !distinct.contains(occasion) { distinct.append(occasion) }
      return distinct
    }
    for (number, own) in occasions.enumerated() {
      firstNode.append(owner.count)
      owner += repeatElement(number, count: own.count)
    }

    for number in tasks.indices {
      for (place, occasion) in occasions[number].enumerated() {
        let dependent = firstNode[number] + place
        func add(_ target: Int, _ place: Int, _ kind: DependencyGraph.EdgeKind) {
          edges.append(
            DependencyGraph.Edge(
              prerequisite: Int32(firstNode[target] + place), dependent: Int32(dependent), kind: kind))
        }
        for target in resolutions[number].dependencies.joined() {
          if let same = occasions[target].firstIndex(of: occasion) {
            add(target, same, .requires)
            continue
          }
          let earlier = occasions[target].indices.filter { occasions[target][$0].moment <= occasion.moment }
          for other in earlier.isEmpty ? Array(occasions[target].indices) : earlier { add(target, other, .requires) }
        }
        for target in resolutions[number].after.joined() {
          if let same = occasions[target].firstIndex(of: occasion) { add(target, same, .follows) }
        }
      }
    }
  }

  /// Cycles of which no two share a step, so each is a mistake of its own; none is left that shares no step with them.
  ///
  /// Cost: O(n + e) if there is none, and that again for each one found.
  func cycles() -> [[CycleLink]] {
    var found: [[Link]] = []
    var taken: Set<Link> = []
    // Tasks in different branches of one `#if` cannot make a cycle together. Where a cycle has such a pair, look again with
    // only one branch at a time. The limit stops a search that no real package needs; what it misses is found at run time,
    // when the branches are chosen.
    var restrictions = [BranchFacts()]
    var restrictionsLeft = 1_000
    while let restriction = restrictions.popLast(), restrictionsLeft > 0 {
      restrictionsLeft -= 1
      var contradiction: String?
      var hasNews = true
      while hasNews {
        hasNews = false
        contradiction = nil
        for cycle in graph(under: restriction, without: taken).cycles() {
          let links = links(of: cycle)
          if let question = contradictoryQuestion(in: links) {
            contradiction = contradiction ?? question
          } else if taken.isDisjoint(with: links) {
            taken.formUnion(links)
            found.append(links)
            hasNews = true
          }
        }
      }
      guard let question = contradiction else { continue }
      restrictions += possibilities(of: question).map(restriction.adding)
    }
    return found.map { $0.map(written) }
  }

  /// The builds that a question tells apart.
  private func possibilities(of question: String) -> [BranchFacts] {
    let answers = Set(tasks.compactMap { $0.branch[question] }).sorted()
    let choices = Set(tasks.flatMap { $0.choices[question, default: []] }).sorted()
    var found = answers.map { BranchFacts(answers: [question: $0]) }
    guard !choices.isEmpty else { return found }
    found += choices.map { BranchFacts(answers: [$0: 1], choices: [question: [$0]]) }
    // Those for a system that none of the tasks names.
    found.append(BranchFacts(answers: Dictionary(uniqueKeysWithValues: choices.map { ($0, 0) })))
    return found
  }

  private func graph(under restriction: BranchFacts, without taken: Set<Link>) -> DependencyGraph {
    if restriction.answers.isEmpty && taken.isEmpty { return DependencyGraph(nodeCount: owner.count, edges: edges) }
    let isPresent = tasks.map { !$0.facts.exclude(restriction) }
    return DependencyGraph(
      nodeCount: owner.count,
      edges: edges.filter { edge in
        let dependent = owner[Int(edge.dependent)]
        let prerequisite = owner[Int(edge.prerequisite)]
        return isPresent[dependent] && isPresent[prerequisite]
          && !taken.contains(Link(dependent: dependent, prerequisite: prerequisite))
      })
  }

  private func links(of cycle: [Int]) -> [Link] {
    cycle.indices.map { step in
      Link(dependent: owner[cycle[step]], prerequisite: owner[cycle[(step + 1) % cycle.count]])
    }
  }

  /// A question to which the cycle needs two answers at once, as an `#if` group of which it needs two branches.
  private func contradictoryQuestion(in links: [Link]) -> String? {
    var chosen = BranchFacts()
    for link in links {
      let own = tasks[link.dependent].facts
      for (question, answer) in own.answers.sorted(by: { $0.key < $1.key }) {
        if let other = chosen.answers[question], other != answer { return question }
      }
      chosen.add(own)
    }
    return chosen.impossible
  }

  /// The reference behind a step; where `dependencies` and `after` both name the task, the stricter one.
  private func written(_ link: Link) -> CycleLink {
    let task = tasks[link.dependent]
    let resolution = resolutions[link.dependent]
    if let place = resolution.dependencies.firstIndex(where: { $0.contains(link.prerequisite) }) {
      return CycleLink(
        dependent: link.dependent, prerequisite: link.prerequisite, kind: .requires,
        reference: task.dependencies[place])
    }
    let place = resolution.after.firstIndex { $0.contains(link.prerequisite) } ?? 0
    return CycleLink(
      dependent: link.dependent, prerequisite: link.prerequisite, kind: .follows, reference: task.after[place])
  }
}
