import TaskKit

@EventTask(event: .didFinishLaunching, after: ["FollowsItself"])  // error: task 'App.FollowsItself' runs after itself
enum FollowsItself {
  static func run() {}
}
