import Dispatch
import Foundation
import Synchronization
@testable import TaskKitPostgres
import Testing

/// The rules of waiting for a socket, for each way in which it is done.
@Suite(.timeLimit(.minutes(5))) struct SocketWaitTests {
  enum Way: CaseIterable {
    case system, sources

    var wait: SocketWait { self == .system ? SocketWait() : SocketWait { SocketSources.begin($0, $1, tell: $2) } }
  }

  /// What is written at one end is read at the other.
  private func withPipe<Value>(_ body: (_ reading: Int32, _ writing: Int32) async throws -> Value) async throws -> Value
  {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    return try await body(ends[0], ends[1])
  }

  private func write(_ count: Int, to file: Int32) {
    #expect(Foundation.write(file, [UInt8](repeating: 7, count: count), count) == count)
  }

  private func read(_ file: Int32) -> Int {
    var bytes = [UInt8](repeating: 0, count: 100)
    return Foundation.read(file, &bytes, bytes.count)
  }

  @Test(arguments: Way.allCases) func `each of many waits finds what has come since the one before`(way: Way)
    async throws
  {
    try await withPipe { reading, writing in
      let wait = way.wait
      for _ in 0..<2000 {
        async let isReady = wait.ready(reading, .reading)
        write(1, to: writing)
        #expect(await isReady)
        #expect(read(reading) == 1)
      }
      #expect(await wait.ready(reading, .reading, within: .zero) == false)
      // What was not read is found again.
      write(2, to: writing)
      for _ in 0..<2 { #expect(await wait.ready(reading, .reading)) }
      wait.end()
    }
  }

  @Test(arguments: Way.allCases)
  func `a wait is over once, whether the socket is ready, its time has passed or it is ended`(way: Way) async throws {
    for round in 0..<300 {
      try await withPipe { reading, writing in
        let wait = way.wait
        async let isReady = wait.ready(reading, .reading, within: .microseconds(round % 100))
        async let end: Void = wait.end()
        write(1, to: writing)
        _ = await (isReady, end)
        // Nothing is waited for any more.
        #expect(await wait.ready(writing, .reading) == false)
      }
    }
  }

  @Test(arguments: Way.allCases) func `a wait that was ended is not taken for one of another socket in its place`(
    way: Way
  ) async throws {
    try await withPipe { reading, _ in
      let first = way.wait
      #expect(await first.ready(reading, .reading, within: .milliseconds(1)) == false)
      try await withPipe { other, writing in
        // The system closes the first one, and gives its number to this.
        #expect(dup2(other, reading) == reading)
        let second = way.wait
        #expect(await second.ready(reading, .reading, within: .milliseconds(1)) == false)
        let waiting = OngoingCall { await second.ready(reading, .reading) }
        first.end()
        for _ in 0..<100 { await Task.yield() }
        #expect(!waiting.hasEnded)
        write(1, to: writing)
        let isReady = try await waiting.value
        #expect(isReady)
      }
    }
  }

  @Test(arguments: Way.allCases) func `whoever waits for one that the other side has closed goes on`(way: Way)
    async throws
  {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reading = ends[0]
    let wait = way.wait
    let waiting = OngoingCall { await wait.ready(reading, .reading) }
    for _ in 0..<100 { await Task.yield() }
    close(ends[1])
    let isReady = try await waiting.value
    #expect(isReady)
    #expect(read(reading) == 0)
    close(reading)
  }

  @Test(arguments: Way.allCases) func `what can be written is told also while nothing can be read`(way: Way)
    async throws
  {
    let server = try SilentServer()
    let file = FaultyProxy.socket(server.folder.appending(path: ".s.PGSQL.5432").path) { connect($0, $1, $2) }
    let wait = way.wait
    for wish in [SocketWait.Wish.writing, .both, .writing] { #expect(await wait.ready(file, wish)) }
    #expect(await wait.ready(file, .reading, within: .milliseconds(1)) == false)
    #expect(await wait.ready(file, .both))
    wait.end()
    close(file)
    server.end()
  }

  @Test(arguments: Way.allCases)
  func `the time of a wait passes also where the program holds all threads that it shares with others`(way: Way)
    async throws
  {
    try await withPipe { reading, _ in
      let isHeld = DispatchSemaphore(value: 0)
      let areOver = DispatchGroup()
      let wasTooLate = Atomic(false)
      // Tasks of another priority have threads of their own; all others wait until this has ended.
      let isReady = await Task.detached(priority: .high) {
        let count = 300
        for _ in 0..<count {
          DispatchQueue.global().async(group: areOver) {
            // For no longer, so that this ends where nobody is told.
            if isHeld.wait(timeout: .now() + 20) == .timedOut { wasTooLate.store(true, ordering: .relaxed) }
          }
        }
        let isReady = await way.wait.ready(reading, .reading, within: .milliseconds(1))
        for _ in 0..<count { isHeld.signal() }
        return isReady
      }.value
      #expect(isReady == false)
      await withCheckedContinuation { continuation in areOver.notify(queue: .global()) { continuation.resume() } }
      let isLate = wasTooLate.load(ordering: .relaxed)
      #expect(!isLate)
    }
  }

  #if os(Linux)
  @Test func `the thread that waits for sockets is known by its name`() async throws {
    _ = await SocketWait().ready(-2, .reading, within: .zero)
    #expect(SocketThread.shared != nil)
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { thread in
        try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
      }
    }
    try await waitUntil { try names().contains("TaskKit sockets\n") }
  }
  #endif

  @Test func `what is no socket is not waited for`() async {
    #expect(await SocketWait().ready(-1, .reading) == false)
    #if os(Linux)
    #expect(await SocketWait().ready(.max, .reading) == false)
    #endif
  }
}
