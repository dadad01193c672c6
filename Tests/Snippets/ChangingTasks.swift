import TaskKit

let center = TaskCenter(registry: .generated)

@EventTask(event: .didBecomeActive)
enum RefreshFeed {
  static func run() {}
}

struct Listener {
  init(port: Int) throws {}
  func close() {}
}
