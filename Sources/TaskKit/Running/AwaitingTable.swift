/// Which bodies, or initialisers of modules in them, await something of the center: an occurrence, the end of one task, an
/// instance.
///
/// Found by who waits and by what is waited for, so that an end costs what it ends, however many others wait.
struct AwaitingTable {
  /// By the run of who waits, nil for an initialiser in no body, by who that is, and by what for: the numbers of the waits.
  /// They ascend, so that of several ways the same one is found each time.
  private var waits: [UInt64?: [FrameIdentity: [Waited: [UInt64]]]] = [:]
  /// Who waits for something.
  private var waiting: [Waited: Set<FrameIdentity>] = [:]
  private var nextNumber: UInt64 = 0

  var isEmpty: Bool { waits.isEmpty }

  /// A body begins to wait; it may wait for several things, and for one several times.
  mutating func add(_ waited: Waited, by frame: FrameIdentity) {
    waits[frame.body?.run.id, default: [:]][frame, default: [:]][waited, default: []].append(nextNumber)
    waiting[waited, default: []].insert(frame)
    nextNumber += 1
  }

  /// Whether a body waits for something.
  func contains(_ waited: Waited, by frame: FrameIdentity) -> Bool { waits[frame.body?.run.id]?[frame]?[waited] != nil }

  /// Who waits for something.
  func bodies(waitingFor waited: Waited) -> Set<FrameIdentity> { waiting[waited] ?? [] }

  /// A body waits for something once less. Nothing happens if it does not.
  mutating func remove(_ waited: Waited, by frame: FrameIdentity) {
    guard let count = waits[frame.body?.run.id]?[frame]?[waited]?.count else { return }
    if count > 1 {
      waits[frame.body?.run.id]![frame]![waited]!.removeLast()
    } else {
      forgetWaits(of: frame, for: waited)
      forget(frame, waitingFor: waited)
    }
  }

  /// Nobody waits for something any more.
  mutating func removeAll(waitingFor waited: Waited) {
    for frame in waiting.removeValue(forKey: waited) ?? [] { forgetWaits(of: frame, for: waited) }
  }

  /// No body of a run waits any more.
  ///
  /// - Parameter excepted: nodes whose bodies still may.
  mutating func removeAll(ofRun run: UInt64, butBy excepted: Set<Int32> = []) {
    guard !waits.isEmpty, let frames = waits.removeValue(forKey: run) else { return }
    for (frame, waits) in frames {
      if let body = frame.body, excepted.contains(body.node) {
        self.waits[run, default: [:]][frame] = waits
      } else {
        for waited in waits.keys { forget(frame, waitingFor: waited) }
      }
    }
  }

  /// What bodies wait for, in the order in which they began to.
  ///
  /// - Parameters:
  ///   - run: whose bodies; nil for all.
  ///   - isMeant: which of them.
  func waited(inRun run: UInt64?, by isMeant: (FrameIdentity) -> Bool) -> [Waited] {
    let frames = run == nil ? Array(waits.values) : waits[run].map { [$0] } ?? []
    return frames.joined().filter { isMeant($0.key) }.flatMap { _, waits in
      waits.flatMap { waited, numbers in numbers.map { (waited: waited, number: $0) } }
    }
    .sorted { $0.number < $1.number }.map(\.waited)
  }

  private mutating func forgetWaits(of frame: FrameIdentity, for waited: Waited) {
    waits[frame.body?.run.id]![frame]![waited] = nil
    guard waits[frame.body?.run.id]![frame]!.isEmpty else { return }
    waits[frame.body?.run.id]![frame] = nil
    if waits[frame.body?.run.id]!.isEmpty { waits[frame.body?.run.id] = nil }
  }

  private mutating func forget(_ frame: FrameIdentity, waitingFor waited: Waited) {
    waiting[waited]!.remove(frame)
    if waiting[waited]!.isEmpty { waiting[waited] = nil }
  }

  /// How much is kept: a wait each, and who waits for what.
  var storedCount: Int {
    waits.values.joined().reduce(0) { $0 + $1.value.values.reduce(0) { $0 + $1.count } }
      + waiting.values.reduce(0) { $0 + $1.count }
  }
}
