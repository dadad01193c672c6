/// What is known of a task before anything runs: enough to prove that the graph is sound.
///
/// The build tool reads it from source text, the center from registrations and definitions. A task's number is its place in
/// the array that is proved, which is the order of declaration.
public struct DeclaredTask: Sendable, Hashable {
  /// The full name: module and type path, or exactly what `name:` says.
  public var name: String
  /// The module whose name stands in front of the task's.
  public var module: String
  /// When it runs: one or more events, the schedule, or a notification.
  public var occasions: [Occasion]
  /// Higher starts earlier, where the law leaves a choice.
  public var priority: Int
  /// What must have ended well before it starts.
  public var dependencies: [Reference]
  /// What it starts after, if that is there.
  public var after: [Reference]
  /// Where the task is declared.
  public var place: SourcePlace?
  /// In which branch of which `#if` the declaration stands: group → branch. Two tasks in different branches of one group are
  /// never there together.
  public var branch: [String: Int]
  /// What the conditions there leave open of questions with many answers.
  package var choices: [String: Set<String>] = [:]

  /// `priority` is that of a task which does not say.
  public init(
    name: String, module: String, occasions: [Occasion], priority: Int = 500, dependencies: [Reference] = [],
    after: [Reference] = [], place: SourcePlace? = nil, branch: [String: Int] = [:]
  ) {
    self.name = name
    self.module = module
    self.occasions = occasions
    self.priority = priority
    self.dependencies = dependencies
    self.after = after
    self.place = place
    self.branch = branch
  }

  /// What is sure of each build that has the task.
  var facts: BranchFacts { BranchFacts(answers: branch, choices: choices) }

  /// True if no build contains both tasks.
  func excludes(_ other: Self) -> Bool { facts.exclude(other.facts) }

  /// The task as it is declared where only some builds have it.
  package func under(_ facts: BranchFacts) -> Self {
    var task = self
    task.branch = facts.answers
    task.choices = facts.choices
    return task
  }
}
