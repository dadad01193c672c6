import TaskKit

// Every form that `run` can have, on every kind of actor: each checks that it runs where it says.

@globalActor
actor Storage {
  static let shared = Storage()
}

extension LifecycleEvent<Int, Void> {
  nonisolated static var counted: Self { .init("counted") }
}

enum Synchronous {
  @EventTask(event: .counted)
  enum RunAnywhere {
    nonisolated static func run() {}
  }

  @EventTask(event: .counted)
  enum AnswerAnywhere {
    nonisolated static func run() -> Int { 7 }
  }

  @EventTask(event: .counted)
  enum RunAnywhereWithPayload {
    nonisolated static func run(_ number: Int) { precondition(number == 7) }
  }

  @EventTask(event: .counted)
  enum AnswerAnywhereWithPayload {
    nonisolated static func run(_ number: Int) -> Int { number }
  }

  @EventTask(event: .counted)
  enum RunAnywhereWithContext {
    nonisolated static func run(_ context: TaskContext<Int>) throws { precondition(context.payload == 7) }
  }

  @EventTask(event: .counted)
  enum AnswerAnywhereWithContext {
    nonisolated static func run(_ context: TaskContext<Int>) throws -> Int { context.payload }
  }

  @EventTask(event: .counted)
  enum RunOnMainActor {
    @MainActor static func run() { MainActor.preconditionIsolated() }
  }

  @EventTask(event: .counted)
  enum AnswerOnMainActor {
    @MainActor static func run() -> Int {
      MainActor.preconditionIsolated()
      return 7
    }
  }

  @EventTask(event: .counted)
  enum RunOnMainActorWithPayload {
    @MainActor static func run(_ number: Int) {
      MainActor.preconditionIsolated()
      precondition(number == 7)
    }
  }

  @EventTask(event: .counted)
  enum AnswerOnMainActorWithPayload {
    @MainActor static func run(_ number: Int) -> Int {
      MainActor.preconditionIsolated()
      return number
    }
  }

  @EventTask(event: .counted)
  enum RunOnMainActorWithContext {
    @MainActor static func run(_ context: TaskContext<Int>) throws {
      MainActor.preconditionIsolated()
      precondition(context.payload == 7)
    }
  }

  @EventTask(event: .counted)
  enum AnswerOnMainActorWithContext {
    @MainActor static func run(_ context: TaskContext<Int>) throws -> Int {
      MainActor.preconditionIsolated()
      return context.payload
    }
  }

  @EventTask(event: .counted)
  enum RunOnStorage {
    @Storage static func run() { Storage.preconditionIsolated() }
  }

  @EventTask(event: .counted)
  enum AnswerOnStorage {
    @Storage static func run() -> Int {
      Storage.preconditionIsolated()
      return 7
    }
  }

  @EventTask(event: .counted)
  enum RunOnStorageWithPayload {
    @Storage static func run(_ number: Int) {
      Storage.preconditionIsolated()
      precondition(number == 7)
    }
  }

  @EventTask(event: .counted)
  enum AnswerOnStorageWithPayload {
    @Storage static func run(_ number: Int) -> Int {
      Storage.preconditionIsolated()
      return number
    }
  }

  @EventTask(event: .counted)
  enum RunOnStorageWithContext {
    @Storage static func run(_ context: TaskContext<Int>) throws {
      Storage.preconditionIsolated()
      precondition(context.payload == 7)
    }
  }

  @EventTask(event: .counted)
  enum AnswerOnStorageWithContext {
    @Storage static func run(_ context: TaskContext<Int>) throws -> Int {
      Storage.preconditionIsolated()
      return context.payload
    }
  }
}

enum Asynchronous {
  @EventTask(event: .counted)
  enum RunAnywhere {
    nonisolated static func run() async {}
  }

  @EventTask(event: .counted)
  enum AnswerAnywhere {
    nonisolated static func run() async -> Int { 7 }
  }

  @EventTask(event: .counted)
  enum RunAnywhereWithPayload {
    nonisolated static func run(_ number: Int) async { precondition(number == 7) }
  }

  @EventTask(event: .counted)
  enum AnswerAnywhereWithPayload {
    nonisolated static func run(_ number: Int) async -> Int { number }
  }

  @EventTask(event: .counted)
  enum RunAnywhereWithContext {
    nonisolated static func run(_ context: TaskContext<Int>) async throws { precondition(context.payload == 7) }
  }

  @EventTask(event: .counted)
  enum AnswerAnywhereWithContext {
    nonisolated static func run(_ context: TaskContext<Int>) async throws -> Int { context.payload }
  }

  @EventTask(event: .counted)
  enum RunOnMainActor {
    @MainActor static func run() async { MainActor.preconditionIsolated() }
  }

  @EventTask(event: .counted)
  enum AnswerOnMainActor {
    @MainActor static func run() async -> Int {
      MainActor.preconditionIsolated()
      return 7
    }
  }

  @EventTask(event: .counted)
  enum RunOnMainActorWithPayload {
    @MainActor static func run(_ number: Int) async {
      MainActor.preconditionIsolated()
      precondition(number == 7)
    }
  }

  @EventTask(event: .counted)
  enum AnswerOnMainActorWithPayload {
    @MainActor static func run(_ number: Int) async -> Int {
      MainActor.preconditionIsolated()
      return number
    }
  }

  @EventTask(event: .counted)
  enum RunOnMainActorWithContext {
    @MainActor static func run(_ context: TaskContext<Int>) async throws {
      MainActor.preconditionIsolated()
      precondition(context.payload == 7)
    }
  }

  @EventTask(event: .counted)
  enum AnswerOnMainActorWithContext {
    @MainActor static func run(_ context: TaskContext<Int>) async throws -> Int {
      MainActor.preconditionIsolated()
      return context.payload
    }
  }

  @EventTask(event: .counted)
  enum RunOnStorage {
    @Storage static func run() async { Storage.preconditionIsolated() }
  }

  @EventTask(event: .counted)
  enum AnswerOnStorage {
    @Storage static func run() async -> Int {
      Storage.preconditionIsolated()
      return 7
    }
  }

  @EventTask(event: .counted)
  enum RunOnStorageWithPayload {
    @Storage static func run(_ number: Int) async {
      Storage.preconditionIsolated()
      precondition(number == 7)
    }
  }

  @EventTask(event: .counted)
  enum AnswerOnStorageWithPayload {
    @Storage static func run(_ number: Int) async -> Int {
      Storage.preconditionIsolated()
      return number
    }
  }

  @EventTask(event: .counted)
  enum RunOnStorageWithContext {
    @Storage static func run(_ context: TaskContext<Int>) async throws {
      Storage.preconditionIsolated()
      precondition(context.payload == 7)
    }
  }

  @EventTask(event: .counted)
  enum AnswerOnStorageWithContext {
    @Storage static func run(_ context: TaskContext<Int>) async throws -> Int {
      Storage.preconditionIsolated()
      return context.payload
    }
  }
}
