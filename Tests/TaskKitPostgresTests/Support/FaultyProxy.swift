import Foundation
import Synchronization

/// Stands between stores and a server, and breaks connections where it hurts most: before a call gets to the server, in the
/// middle of it, after the server has done it and before the answer is there, or so that the call gets to the server long
/// after everybody has given it up.
///
/// It counts round trips, too, and can keep calls from going on.
final class FaultyProxy: Sendable {
  enum Fault: CaseIterable {
    case before
    case middle
    case after
    case late
  }

  /// Ends a client, which it is given the means for, in one of the round trips of its first connection.
  struct Killing: Sendable {
    enum Moment: CaseIterable {
      /// It has sent nothing of it.
      case unsent
      /// It has sent all of it, which gets to the server when it is dead.
      case unanswered
      /// The answer has come to its machine, and it has not looked at it.
      case answered
    }

    /// Counted from 1.
    let trip: Int
    let moment: Moment
    /// Both return when it has happened: it does nothing more.
    let stop: @Sendable () -> Void
    let kill: @Sendable () -> Void
  }

  private struct State {
    var chance: Chance
    var calls = 0
    var faults: [Fault: Int] = [:]
    var late: [Late] = []
    var isOver = false
    var roundTrips = 0
    /// Those of connections that calls are made on.
    var callTrips = 0
    /// What is to become of the next call, and whether those after it are held.
    var next: (fault: Fault, thenHolds: Bool, skips: Int)?
    var isHolding = false
    var held = 0
    var links: [WeakLink] = []
    /// How often somebody was turned away; nil while all are let in.
    var refusals: Int?
  }

  private struct WeakLink {
    weak var link: Link?
  }

  /// A connection of a client, and the one to the server that goes with it.
  private final class Link: Sendable {
    let client: Int32
    let server: Int32
    /// Whether what goes to the server next is something new: the server was the last to say something.
    let isTurn = Mutex(true)
    /// Whether calls are made on it.
    let hasCalls = Mutex(false)
    /// Whether its client made none before.
    let isFirst: Bool
    /// How often the client has said something that the server answers.
    let trips = Mutex(0)
    /// Whether its client dies when it has been answered.
    let isLast = Mutex(false)
    /// Whether its client hears nothing more.
    let isMute = Mutex(false)

    init(_ client: Int32, _ server: Int32, isFirst: Bool) {
      (self.client, self.server, self.isFirst) = (client, server, isFirst)
    }

    deinit {
      close(client)
      close(server)
    }
  }

  /// With which a client ends a connection.
  private static let goodbye: [UInt8] = [UInt8(ascii: "X"), 0, 0, 0, 4]

  /// A call that its client has given up.
  private struct Late {
    let bytes: [UInt8]
    let link: Link
    /// With which call of others it goes on.
    let after: Int
  }

  private let state: Mutex<State>
  private let folder: URL
  private let target: String
  private let listener: Int32
  /// Every how many calls it breaks one; nil for none but those that it is told to.
  private let rate: Int?
  private let killing: Killing?
  /// Threads wait for it that keep calls from going on.
  private let gate = NSCondition()

  /// - Parameters:
  ///   - address: of a server, with its socket's folder first.
  ///   - killing: what becomes of the only client.
  init(to address: String, seed: UInt64 = 1, rate: Int? = nil, killing: Killing? = nil) throws {
    let host = address.split(separator: " ").first { $0.hasPrefix("host=") }!.dropFirst(5)
    target = "\(host)/.s.PGSQL.5432"
    rest = address.split(separator: " ").filter { !$0.hasPrefix("host=") }.joined(separator: " ")
    folder = URL(filePath: "/tmp/taskkit-proxy-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    state = Mutex(State(chance: Chance(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)))
    self.rate = rate
    self.killing = killing
    listener = Self.socket(folder.appending(path: ".s.PGSQL.5432").path) { bind($0, $1, $2) }
    listen(listener, 32)
    // Threads, since reading and writing hold them; each ends with its connection, this one with the listener.
    Thread.detachNewThread { [self] in
      var isFirst = true
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, !state.withLock({ $0.isOver }) else { return }
        let isRefused = state.withLock { state in
          state.refusals? += 1
          return state.refusals != nil
        }
        guard !isRefused else {
          close(client)
          continue
        }
        let link = Link(client, Self.socket(target) { connect($0, $1, $2) }, isFirst: isFirst)
        isFirst = false
        state.withLock { state in
          state.links.removeAll { $0.link == nil }
          state.links.append(WeakLink(link: link))
        }
        Thread.detachNewThread { self.toServer(link) }
        Thread.detachNewThread { self.toClient(link) }
      }
    }
  }

  private let rest: String

  var address: String { "host=\(folder.path) \(rest)" }

  func faults(_ fault: Fault) -> Int { state.withLock { $0.faults[fault, default: 0] } }

  /// How often a client has said something that the server answers, since it was asked last.
  func takeRoundTrips() -> Int {
    state.withLock { state in
      defer { state.roundTrips = 0 }
      return state.roundTrips
    }
  }

  /// The same of connections that calls are made on, from their first call on.
  func takeCallTrips() -> Int {
    state.withLock { state in
      defer { state.callTrips = 0 }
      return state.callTrips
    }
  }

  /// Breaks the connection of the next call.
  ///
  /// - Parameter thenHolds: whether what comes after it is held.
  func breakNext(_ fault: Fault, thenHolds: Bool = false) { state.withLock { $0.next = (fault, thenHolds, 0) } }

  /// Breaks the connection of the call after the next one, which is held now.
  func breakSecond(_ fault: Fault) { state.withLock { $0.next = (fault, false, 1) } }

  /// Breaks the connections of the calls that the server is at, which goes on.
  func breakOngoing() {
    for link in state.withLock({ $0.links.compactMap(\.link) }) where link.hasCalls.withLock({ $0 }) {
      guard !link.isTurn.withLock({ $0 }) else { continue }
      link.isMute.withLock { $0 = true }
      Self.cut(link.client)
    }
  }

  /// Lets nobody in any more; connections that are there go on.
  func closeDoor() { state.withLock { $0.refusals = 0 } }

  /// How often somebody has come since then.
  var refusals: Int { state.withLock { $0.refusals ?? 0 } }

  /// Keeps calls from going on, and the questions what has become of them, until they are let go.
  func hold() { state.withLock { $0.isHolding = true } }

  /// How many calls wait for that.
  var held: Int { state.withLock { $0.held } }

  func letGo() {
    state.withLock { $0.isHolding = false }
    gate.lock()
    gate.broadcast()
    gate.unlock()
  }

  private func passGate() {
    gate.lock()
    state.withLock { $0.held += 1 }
    while state.withLock({ $0.isHolding }) { gate.wait() }
    state.withLock { $0.held -= 1 }
    gate.unlock()
  }

  func end() {
    state.withLock { $0.isOver = true }
    letGo()
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    try? FileManager.default.removeItem(at: folder)
  }

  static func socket(
    _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    #if canImport(Darwin)
    let file = Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
    #else
    let file = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return file
  }

  private static func receive(_ file: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(file, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// - Returns: false where nobody takes it.
  private static func send(_ bytes: [UInt8], _ file: Int32) -> Bool {
    var left = bytes[...]
    while !left.isEmpty {
      #if canImport(Darwin)
      let count = left.withUnsafeBytes { Foundation.send(file, $0.baseAddress, $0.count, 0) }
      #else
      let count = left.withUnsafeBytes { Foundation.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      #endif
      guard count > 0 else { return false }
      left = left.dropFirst(count)
    }
    return true
  }

  private static func cut(_ files: Int32...) { for file in files { shutdown(file, Int32(SHUT_RDWR)) } }

  /// Which calls go through, and which do not.
  private func toServer(_ link: Link) {
    let marks = ["taskkit_do(", "taskkit_exchange(", "taskkit_shelve("].map { Array($0.utf8) }
    while var bytes = Self.receive(link.client) {
      let isTurn = link.isTurn.withLock { isTurn in
        defer { isTurn = false }
        // Nobody answers a good-bye.
        return isTurn && bytes != Self.goodbye
      }
      // The statement stands at the beginning of what a client sends.
      func begins(_ marks: [[UInt8]]) -> Bool { marks.contains { bytes.prefix(200).firstRange(of: $0) != nil } }
      let isCall = begins(marks)
      let hasCalls = link.hasCalls.withLock { hasCalls in
        hasCalls = hasCalls || isCall
        return hasCalls
      }
      if isTurn {
        state.withLock { state in
          state.roundTrips += 1
          if hasCalls { state.callTrips += 1 }
        }
        if let killing, link.isFirst, isDue(killing, link) {
          if kill(killing, link, bytes) { return }
          continue
        }
      }
      guard isCall else {
        if begins([Array("taskkit_recover(".utf8)]) { passGate() }
        guard Self.send(bytes, link.server) else { break }
        continue
      }
      // One that is to break is waited for to its end, in however many pieces it comes: nothing else would break instead.
      while state.withLock({ $0.next != nil }), bytes.suffix(4) != [0, 0, 0, 4], let more = Self.receive(link.client) {
        bytes += more
      }
      passGate()
      let (fault, late) = decide(bytes, link)
      // Their answers are for nobody.
      for call in late { _ = Self.send(call.bytes, call.link.server) }
      switch fault {
      case nil: guard Self.send(bytes, link.server) else { return Self.cut(link.server) }
      case .before: return Self.cut(link.client, link.server)
      case .middle:
        _ = Self.send(Array(bytes.prefix(bytes.count / 2)), link.server)
        return Self.cut(link.client, link.server)
      case .after:
        // The server has it before the client may ask on another connection what has become of it.
        link.isMute.withLock { $0 = true }
        _ = Self.send(bytes, link.server)
        return Self.cut(link.client)
      case .late: return Self.cut(link.client)
      }
    }
    // The server goes on with a call whose connection has been broken.
    if !link.isMute.withLock({ $0 }) { Self.cut(link.server) }
  }

  private func isDue(_ killing: Killing, _ link: Link) -> Bool {
    link.trips.withLock { trips in
      trips += 1
      return trips == killing.trip
    }
  }

  /// - Returns: whether it is over; it is not where the client gets its answer first.
  private func kill(_ killing: Killing, _ link: Link, _ bytes: [UInt8]) -> Bool {
    switch killing.moment {
    case .unsent:
      killing.kill()
      Self.cut(link.client, link.server)
      return true
    case .unanswered:
      killing.kill()
      _ = Self.send(bytes, link.server)
      // In however many pieces it comes. The server's connection ends when it has answered.
      while let more = Self.receive(link.client) { _ = Self.send(more, link.server) }
      Self.cut(link.client)
      return true
    case .answered:
      killing.stop()
      link.isLast.withLock { $0 = true }
      _ = Self.send(bytes, link.server)
      return false
    }
  }

  private func decide(_ bytes: [UInt8], _ link: Link) -> (Fault?, [Late]) {
    state.withLock { state in
      state.calls += 1
      let calls = state.calls
      let due = state.late.filter { $0.after <= calls }
      state.late.removeAll { $0.after <= calls }
      // What does not come in one piece goes on as it is.
      guard bytes.suffix(4) == [0, 0, 0, 4] else { return (nil, due) }
      let fault: Fault
      if let next = state.next {
        if next.skips > 0 {
          state.next?.skips -= 1
          return (nil, due)
        }
        fault = next.fault
        state.isHolding = next.thenHolds
        state.next = nil
      } else {
        guard let rate, Int.random(in: 0..<rate, using: &state.chance) == 0 else { return (nil, due) }
        fault = Fault.allCases.randomElement(using: &state.chance)!
      }
      state.faults[fault, default: 0] += 1
      if fault == .late { state.late.append(Late(bytes: bytes, link: link, after: calls + 20)) }
      return (fault, due)
    }
  }

  private func toClient(_ link: Link) {
    // A message that nothing follows: the server waits for what comes next.
    let end: [UInt8] = [UInt8(ascii: "Z"), 0, 0, 0, 5]
    var last: [UInt8] = []
    while let bytes = Self.receive(link.server) {
      link.isTurn.withLock { $0 = true }
      guard !link.isMute.withLock({ $0 }), Self.send(bytes, link.client) else { break }
      guard let killing, link.isLast.withLock({ $0 }) else { continue }
      last = (last + bytes).suffix(6)
      guard last.starts(with: end) else { continue }
      killing.kill()
      break
    }
    Self.cut(link.client, link.server)
  }
}
