import TaskGraph

/// Finds `isEnabled` and `stop` that tasks inherit, where nobody asks the one or calls the other either. It is a warning: a
/// protocol may bring them to all who conform to it, and mean nothing by it for a task.
enum InheritedMembers {
  static func problems(in module: ScannedModule, _ known: KnownTypes) -> [Problem] {
    module.tasks.filter { $0.owner == nil }.flatMap { problems(of: $0, known) }
  }

  private static func problems(of task: ScannedTask, _ known: KnownTypes) -> [Problem] {
    let switches = known.inheritedMembers(named: "isEnabled", of: task) { MembersInExtensions.isSwitch($0, in: $1) }
    let stops = known.inheritedMembers(named: "stop", of: task) { MembersInExtensions.isStop($0, in: $1) }
    return switches.prefix(1).map {
      Problem.memberIsInherited("isEnabled", by: task, $0, so: "nothing would switch the task off")
    }
      + stops.prefix(1).map {
        Problem.memberIsInherited("stop", by: task, $0, so: "nothing would call it at a shutdown")
      }
  }
}
