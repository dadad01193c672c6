/// Which bodies, or initialisers of modules in them, await something of the center: an occurrence, the end of one task, an
/// instance.
///
/// Found by who waits and by what is waited for, so that an end costs what it ends, however many others wait.
struct AwaitingTable {
  private struct Edge {
    let waited: Waited
    /// Ascends, so that of several ways the same one is found each time.
    let number: UInt64
  }

  /// By the run of who waits.
  private var edges: [UInt64: [FrameIdentity: [Edge]]] = [:]
  /// How often each waits for something.
  private var waiting: [Waited: [FrameIdentity: Int]] = [:]
  private var nextNumber: UInt64 = 0

  var isEmpty: Bool { edges.isEmpty }

  /// A body begins to wait; it may wait for several things, and for one several times.
  mutating func add(_ waited: Waited, by frame: FrameIdentity) {
    edges[frame.run, default: [:]][frame, default: []].append(Edge(waited: waited, number: nextNumber))
    waiting[waited, default: [:]][frame, default: 0] += 1
    nextNumber += 1
  }

  /// A body waits for something once less. Nothing happens if it does not.
  mutating func remove(_ waited: Waited, by frame: FrameIdentity) {
    guard let place = edges[frame.run]?[frame]?.firstIndex(where: { $0.waited == waited }) else { return }
    edges[frame.run]![frame]!.remove(at: place)
    dropIfEmpty(frame)
    forget(waited, of: frame)
  }

  /// Nobody waits for something any more.
  mutating func removeAll(waitingFor waited: Waited) {
    guard let frames = waiting.removeValue(forKey: waited)?.keys else { return }
    for frame in frames {
      edges[frame.run]![frame]!.removeAll { $0.waited == waited }
      dropIfEmpty(frame)
    }
  }

  /// No body of a run waits any more.
  mutating func removeAll(ofRun run: UInt64) {
    guard let frames = edges.removeValue(forKey: run) else { return }
    for (frame, edges) in frames {
      for edge in edges { forget(edge.waited, of: frame) }
    }
  }

  /// What bodies wait for, in the order in which they began to.
  ///
  /// - Parameters:
  ///   - run: whose bodies; nil for all.
  ///   - isMeant: which of them.
  func waited(inRun run: UInt64?, by isMeant: (FrameIdentity) -> Bool) -> [Waited] {
    let frames = run.map { edges[$0].map { [$0] } ?? [] } ?? Array(edges.values)
    return frames.joined().filter { isMeant($0.key) }.flatMap(\.value).sorted { $0.number < $1.number }.map(\.waited)
  }

  private mutating func dropIfEmpty(_ frame: FrameIdentity) {
    guard edges[frame.run]![frame]!.isEmpty else { return }
    edges[frame.run]![frame] = nil
    if edges[frame.run]!.isEmpty { edges[frame.run] = nil }
  }

  private mutating func forget(_ waited: Waited, of frame: FrameIdentity) {
    guard let count = waiting[waited]?[frame] else { return }
    waiting[waited]![frame] = count > 1 ? count - 1 : nil
    if waiting[waited]!.isEmpty { waiting[waited] = nil }
  }

  /// How much is kept.
  var storedCount: Int {
    edges.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
      + waiting.values.reduce(0) { $0 + $1.values.reduce(0, +) }
  }
}
