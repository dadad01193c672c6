import TaskKit

// note: 'sync' is first declared here
// note: 'sync' is declared here
@EventTask(name: "sync", event: .didBecomeActive)
enum SyncContacts {
  static func run() {}
}

@EventTask(name: "sync", event: .didBecomeActive)  // error: two tasks are named 'sync'; give one
enum SyncPhotos {
  static func run() {}
}

// note: 'App.Show' is declared here
// error: task 'App.Show' needs 'SyncContact', which is not declared in module 'App' or in one that it depends on; did you mean 'SyncContacts'?
@EventTask(event: .didBecomeActive, dependencies: [SyncContact.self])
enum Show {
  static func run() {}
}

// error: these tasks wait for each other: 'App.Ping' needs 'App.Pong', 'App.Pong' needs 'App.Ping'; remove one of these dependencies
@EventTask(event: .didBecomeActive, dependencies: [Pong.self])
enum Ping {
  static func run() {}
}

@EventTask(event: .didBecomeActive, dependencies: [Ping.self])  // note: 'App.Pong' needs 'App.Ping' here
enum Pong {
  static func run() {}
}
