/// What the annotation of one method of a module says. For the macros' output only.
public struct ModuleMethod: Sendable {
  let method: String
  let name: String?
  let location: TaskLocation
  let occasions: [TaskOccasion]
  let priority: Priority
  let dependencies: [TaskDependency]
  let needs: [String]
  let after: [TaskReference]
  let timeout: Duration?
  let retry: RetryPolicy
  let onFailure: FailurePolicy
  let runs: RunLimit
  let lane: Lane?

  /// For the macros' output only.
  public init(
    __method method: String,
    name: String? = nil,
    at location: TaskLocation,
    occasions: [TaskOccasion],
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    needs: [String] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil
  ) {
    self.method = method
    self.name = name
    self.location = location
    self.occasions = occasions
    self.priority = priority
    self.dependencies = dependencies
    self.needs = needs
    self.after = after
    self.timeout = timeout
    self.retry = retry
    self.onFailure = onFailure
    self.runs = runs
    self.lane = lane
  }

  func fullName(in module: String) -> TaskName { TaskName(name ?? "\(module).\(method)") }
}
