import TaskGraph

/// Tasks that are to come into a center together.
struct Injection {
  var definitions: [TaskRegistration]
  /// The module of each.
  var modules: [String]
  /// Tasks that give way, and which definition takes the place of each.
  var replaced: [(old: Int32, definition: Int)] = []
  /// The tasks that give way.
  var old: Set<Int32> = []
  /// The events of which no other task is there.
  var leftEvents: Set<Int> = []
  /// The lanes of which nothing is kept once those have given way.
  var leftLanes: Set<Lane> = []
  /// Schedules that cannot be kept.
  var impossible: [Problem] = []
  /// Whether a task that is there could have given way, had that been asked.
  var mayReplace = false
}
