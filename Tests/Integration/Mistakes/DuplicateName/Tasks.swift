import TaskKit

@EventTask(name: "sync", event: .didBecomeActive)  // note: 'sync' is first declared here
enum SyncContacts {
  static func run() {}
}

// error: two tasks are named 'sync'; give one of them another name with 'name:'
@EventTask(name: "sync", event: .didEnterBackground)
enum SyncPhotos {
  static func run() {}
}
