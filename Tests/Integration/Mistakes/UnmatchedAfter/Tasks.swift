import TaskKit

@EventTask(event: .didFinishLaunching)
enum OpenDatabase {
  static func run() {}
}

@EventTask(
  event: .didFinishLaunching,
  after: [
    "OpenDatabse",  // warning: did you mean 'OpenDatabase'?
    "Advertisements",  // warning: which is not registered
    .optional("Analytics"),
    "OpenDatabase",
    "App.OpenDatabase.Nothing",  // warning: runs after 'App.OpenDatabase.Nothing'
  ])
enum Show {
  static func run() {}
}
