import Arguments
import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

@testable import WorldClock

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The outbox with a store in memory, clocks that the test moves, and a server that is a list.
@Suite(.enabled(if: TestDatabase.system != nil, "this machine has no time zone database"))
struct OutboxTests {
  /// What a server gets, and what it answers: the next status, and the last one from then on.
  private final class Server: Sendable {
    struct Post: Equatable {
      let key: String?
      let body: Data?
    }

    private let state: Mutex<(statuses: [Int], posts: [Post])>

    init(_ statuses: Int...) { state = Mutex((statuses, [])) }

    var posts: [Post] { state.withLock { $0.posts } }

    func take(_ request: URLRequest) -> Int {
      state.withLock { state in
        state.posts.append(
          Post(key: request.value(forHTTPHeaderField: "Idempotency-Key"), body: request.httpBody))
        return state.statuses.count > 1 ? state.statuses.removeFirst() : state.statuses[0]
      }
    }
  }

  private let time = VirtualTime()

  /// Puts digests in, launches, and lets a minute pass.
  private func center(_ server: Server, _ arguments: String...) async throws -> TaskCenter {
    var arguments = arguments
    arguments += ["--post", "http://localhost/digests", "--outbox", "unused", "--at", "2026-10-25T00:59:58Z"]
    let invocation = try Invocation(arguments: arguments)
    let program = Program(
      arguments: arguments, environment: ["TZ": "UTC"], console: Console(isTerminal: false, isKept: true),
      postman: Postman { server.take($0) })
    let center = try program.outbox(invocation, .memory(), time: time.source)
    try await center.enqueue(program.digests(invocation))
    await center.send(.willFinishLaunching, program.options(invocation))
    await center.send(.didFinishLaunching, program.options(invocation))
    center.start()
    await time.advance(by: .seconds(60), driving: center)
    return center
  }

  @Test func `a digest is posted until it has arrived, each time the same under the same key`() async throws {
    let server = Server(503, 500, 201)
    let center = try await center(server, "Europe/Berlin", "Asia/Tokyo")
    #expect(server.posts.count == 3)
    #expect(server.posts.allSatisfy { $0 == server.posts[0] && $0.key != nil })
    let body = try #require(server.posts[0].body.map { String(decoding: $0, as: UTF8.self) })
    #expect(body.contains("\"2026-10-25T02:59:58+02:00\"") && body.contains("\"2026-10-25T09:59:58+09:00\""))
    #expect(try await center.jobs.count() == 0)
  }

  @Test func `each digest has a key and an hour of its own`() async throws {
    let server = Server(201)
    _ = try await center(server, "--digests", "4", "UTC")
    #expect(Set(server.posts.map(\.key)).count == 4 && Set(server.posts.map(\.body)).count == 4)
  }

  @Test func `a digest that waits keeps out its like, and none of other places`() async throws {
    let center = try await center(Server(503), "Europe/Berlin")
    let destination = try #require(URL(string: "http://localhost/digests"))
    for (place, count) in [("Europe/Berlin", 1), ("Asia/Tokyo", 2)] {
      // 2026-10-25T00:59:58Z, as for the one that waits.
      try await center.enqueue(Digest(queries: [place], instant: 1_792_889_998, destination: destination))
      #expect(try await center.jobs.count() == count)
    }
  }

  @Test func `what the server will never take is not posted again, and it is told why`() async throws {
    let server = Server(400)
    let center = try await center(server, "UTC")
    #expect(server.posts.count == 1)
    let job = try #require(try await center.jobs.all().first)
    #expect(job.state == .dead)
    #expect(try await center.jobs.why(job.id).contains("the server answers 400"))
  }

  @Test func `a digest of a place that nobody knows is not posted, and it is told why`() async throws {
    let server = Server(201)
    let center = try await center(server, "Europe/Berlin", "Nowhere")
    #expect(server.posts.isEmpty)
    let job = try #require(try await center.jobs.all().first)
    #expect(job.state == .dead && job.attempts == 1)
    #expect(try await center.jobs.why(job.id).contains("'Nowhere'"))
  }
}
