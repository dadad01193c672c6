import TaskKit

@EventTask(name: "sync", event: .didBecomeActive)
enum SyncContacts {
  static func run() {}
}

@EventTask(name: "sync", event: .didBecomeActive)  // error: two tasks are named 'sync'
enum SyncPhotos {
  static func run() {}
}

@EventTask(event: .didBecomeActive, dependencies: [SyncContact.self])  // error: did you mean 'SyncContacts'?
enum Show {
  static func run() {}
}

@EventTask(event: .didBecomeActive, dependencies: [Pong.self])  // error: these tasks wait for each other
enum Ping {
  static func run() {}
}

@EventTask(event: .didBecomeActive, dependencies: [Ping.self])
enum Pong {
  static func run() {}
}
