import TaskKit

// The macro says it, with a repair.

// error: 'FollowsItself' is this task, which cannot come after itself; remove it
@EventTask(event: .didFinishLaunching, after: ["FollowsItself"])
enum FollowsItself {
  static func run() {}
}
