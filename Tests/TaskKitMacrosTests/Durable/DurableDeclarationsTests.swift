import Testing

/// What `@DurableTask` adds to a type.
@Suite struct DurableDeclarationsTests {
  @Test(arguments: samples)
  func `a kind becomes a registration and a body that runs where 'run' does`(sample: Sample) {
    sample.check()
  }

  static let samples = [
    Sample(
      "the least that a kind says",
      """
      @DurableTask(kind: "upload")
      struct Upload: Codable, Sendable {
        func run(_ context: DurableContext) async throws {}
      }
      """,
      expandsTo: """
        struct Upload: Codable, Sendable {
          func run(_ context: DurableContext) async throws {}

          nonisolated static var registration: TaskKitDurable::DurableRegistration {
            TaskKitDurable::DurableRegistration(
              __kind: "upload", type: Self.self, collected: _isCollected,
              at: ("App/Tasks.swift", 1, 1),
              run: { try await Self._jobBody($0, $1) })
          }

          static func _jobBody(_ job: Self, _ context: DurableContext) async throws {
            return try await job.run(context)
          }
        }

        extension Upload: nonisolated TaskKitDurable::__DurableTask {}
        """),
    Sample(
      "options, copied as they are; a result; an actor; a public type inside another one",
      """
      extension Mail {
        @DurableTask(
          kind: "send", queue: Queues.mail, requires: [.network, .unmetered], attempts: .unlimited, unique: .by(\\.to))
        public final class Send: Codable, Sendable {
          @MainActor func run() throws -> [Receipt] { [] }
        }
      }
      """,
      expandsTo: """
        extension Mail {
          public final class Send: Codable, Sendable {
            @MainActor func run() throws -> [Receipt] { [] }

            public nonisolated static var registration: TaskKitDurable::DurableRegistration {
              TaskKitDurable::DurableRegistration(
                __kind: "send", type: Send.self, collected: _isCollected,
                at: ("App/Tasks.swift", 2, 3),
                options: TaskKitDurable::JobOptions(
                  queue: Queues.mail,
                  requires: [.network, .unmetered],
                  attempts: .unlimited,
                  unique: .by(\\.to)),
                output: { try await Send._jobBody($0, $1) })
            }

            @MainActor static func _jobBody(_ job: Send, _ context: TaskKitDurable::DurableContext) async throws -> [Receipt] {
              return try job.run()
            }
          }
        }

        extension Mail.Send: nonisolated TaskKitDurable::__DurableTask {}
        """),
    Sample(
      "backticks, availability, a nonisolated method and another module's name for the context",
      """
      @available(macOS 26, *)
      @DurableTask(kind: "the default")
      enum `default`: Codable {
        case only
        nonisolated func run(_ context: TaskKitDurable.DurableContext) async {}
      }
      """,
      expandsTo: """
        @available(macOS 26, *)
        enum `default`: Codable {
          case only
          nonisolated func run(_ context: TaskKitDurable.DurableContext) async {}

          nonisolated static var registration: TaskKitDurable::DurableRegistration {
            TaskKitDurable::DurableRegistration(
              __kind: "the default", type: Self.self, collected: _isCollected,
              at: ("App/Tasks.swift", 2, 1),
              run: { try await Self._jobBody($0, $1) })
          }

          nonisolated static func _jobBody(_ job: Self, _ context: TaskKitDurable.DurableContext) async throws {
            return await job.run(context)
          }
        }

        @available(macOS 26, *)
        extension `default`: nonisolated TaskKitDurable::__DurableTask {}
        """),
  ]
}
