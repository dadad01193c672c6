import TaskKit

@EventTask(name: "sync", event: .didBecomeActive)  // note: 'sync' is first declared here
enum SyncContacts {
  static func run() {}
}

@EventTask(name: "sync", event: .didEnterBackground)  // error: two tasks are named 'sync'
enum SyncPhotos {
  static func run() {}
}
