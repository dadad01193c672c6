/// How the instance of a module is made, with its type erased and its isolation kept.
enum ModuleMaker: Sendable {
  /// By a synchronous initialiser of the main actor: whoever is there makes it inline, and never waits for another.
  case main(@MainActor @Sendable (ModuleDependencies) throws -> ModuleInstance)
  /// By any other, which may have to be waited for.
  case elsewhere(@concurrent @Sendable (ModuleDependencies) async throws -> ModuleInstance)

  var isMain: Bool {
    if case .main = self { true } else { false }
  }
}

// The functions are references to static methods, which capture nothing but their type: they may be sent, and a value of an
// `@isolated(any)` type is called like any other once its isolation is known. See `TaskBody`.

private struct Anywhere<Module> { let make: @isolated(any) (ModuleDependencies) throws -> Module }
private struct OnMain<Module> { let make: @MainActor @Sendable (ModuleDependencies) throws -> Module }

extension ModuleMaker {
  static func synchronous<Module: LifecycleModule & Sendable>(
    _ make: @escaping @isolated(any) (ModuleDependencies) throws -> Module
  ) -> ModuleMaker {
    if make.isolation is MainActor {
      let make = unsafeBitCast(Anywhere(make: make), to: OnMain<Module>.self).make
      return .main { try make($0) }
    }
    // May be sent: see above.
    nonisolated(unsafe) let make = make
    return .elsewhere { try await make($0) }
  }

  static func asynchronous<Module: LifecycleModule & Sendable>(
    _ make: @escaping @concurrent (ModuleDependencies) async throws -> Module
  ) -> ModuleMaker {
    // May be sent: see above.
    nonisolated(unsafe) let make = make
    return .elsewhere { try await make($0) }
  }
}
