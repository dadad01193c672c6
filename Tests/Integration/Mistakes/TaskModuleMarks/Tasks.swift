import TaskKit

// What the macros say, once the graph is sound.

@TaskModule
actor Module {
  init(port: Int = 80) {}

  @ModuleTask(event: .idle)
  static func shared() {}  // error: 'shared' is static

  #if DEBUG
  @ModuleTask(event: .idle)
  func trace() {}  // error: 'trace' inside '#if' cannot be seen
  #endif

  @ModuleTask(event: .idle)
  func two(_ one: Int, _ two: Int) {}  // error: 'two' has 2 parameters
}

extension Module {
  @ModuleTask(event: .idle)  // error: '@TaskModule' does not see a method in an extension of 'Module'
  func later() {}
}

final class Plain {
  @ModuleTask(event: .idle)  // error: 'Plain' is not a module, so nobody would call the method
  func work() {}
}

@TaskModule
@MainActor final class Needy {  // error: the center cannot create 'Needy'
  init(port: Int) {}
}
