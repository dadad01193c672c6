import TaskKit

@TaskModule
private actor Hidden {}  // error: 'Hidden' is private

@TaskModule
actor Box<Content> {}  // error: 'Box' is generic

// error: 'Value' is a struct, and a module has one instance that its methods share
@TaskModule
struct Value {}

@TaskModule(name: "Same")  // note: 'Same' is first declared here
actor One {}

@TaskModule(name: "Same")  // error: two modules are named 'Same'
actor Two {}

@TaskModule  // note: 'App.Ads' is declared here
@MainActor class Ads {}

@TaskModule  // error: module 'App.PaidAds' inherits from module 'App.Ads'
@MainActor final class PaidAds: Ads {}

// error: 'Both' is a task already
@EventTask(event: .idle) @TaskModule
final class Both {
  static func run() {}
}

@TaskModule(creation: later)  // error: 'later' does not tell the build when the module is created
actor Computed {
  @ModuleTask(name: "Duplicate", event: .idle)  // note: 'Duplicate' is first declared here
  func first() {}

  @ModuleTask(name: "Duplicate", event: .idle)  // error: two tasks are named 'Duplicate'
  func second() {}

  // error: task 'App.Computed.third' needs 'fourth', which is not declared in module 'App'
  @ModuleTask(event: .idle, needs: ["fourth"])
  func third() {}

  @ModuleTask(event: .idle, dependencies: [Unknown.self])  // error: needs 'Unknown', which is not declared
  func fifth() {}

  // error: these tasks wait for each other
  @ModuleTask(event: .idle, needs: ["seventh"])
  func sixth() {}

  @ModuleTask(event: .idle, needs: ["sixth"])
  func seventh() {}

  @ModuleTask()  // error: '@ModuleTask' names no event
  func eighth() {}
}
