import TaskKit

enum News {
  @EventTask(name: "news.Refresh", event: .didBecomeActive)
  enum Refresh {
    static func run() {}
  }
}

@EventTask(event: .didBecomeActive, after: ["Refresh"])  // warning: which is not registered
enum Show {
  static func run() {}
}
