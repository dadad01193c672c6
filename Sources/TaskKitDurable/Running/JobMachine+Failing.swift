/// What becomes of attempts when the store does not take what they say.
extension JobMachine {
  /// What a store has refused together: it is said again one by one, so that one attempt does not hold up the others.
  struct Apart {
    enum Step {
      /// Everybody speaks alone, in the order in which they spoke together.
      case asking
      /// What was refused is said once more, to a store that is sound, or for the last time: it may have become so in between.
      case confirming
      /// It is being decided what is said instead.
      case deciding
    }

    /// What is known of the store.
    enum Store {
      case unknown
      /// It was asked for something of which nothing was refused.
      case asked
      /// It has taken something meanwhile: then it is not the store that is to blame.
      case sound
    }

    var step = Step.asking
    var store = Store.unknown
    var notes: ArraySlice<PendingNote>
    var ends: ArraySlice<PendingEnd>
    /// What was refused by itself, and what waits for that.
    var refusedNotes: [(note: PendingNote, error: any Error)] = []
    var refusedEnds: [RefusedEnd] = []
    /// Whether there is an end that was not said, since it stands behind what was refused.
    var holdsEnds = false

    /// Whether everybody has.
    var hasSpoken: Bool { notes.isEmpty && ends.isEmpty }

    /// Whether anybody was.
    var wasRefused: Bool { !refusedNotes.isEmpty || !refusedEnds.isEmpty }

    var errors: [any Error] { refusedNotes.map(\.error) + refusedEnds.map(\.error) }

    /// What was refused, to be said once more.
    var confirming: Apart {
      Apart(
        step: .confirming, store: store == .sound ? .sound : .unknown, notes: refusedNotes.map(\.note)[...],
        ends: refusedEnds.map(\.end)[...])
    }

    /// What an attempt says behind something that was refused is said behind it again: its end would close the store to what it
    /// came to, and an older checkpoint would take the place of a newer one.
    mutating func holdBack(behind refused: [PendingNote], _ error: any Error) {
      guard step == .asking, !refused.isEmpty else { return }
      let tokens = Set(refused.map(\.key.token))
      refusedNotes += notes.filter { tokens.contains($0.key.token) }.map { (note: $0, error: error) }
      notes.removeAll { tokens.contains($0.key.token) }
      let held = ends.filter { tokens.contains($0.key.token) }
      holdsEnds = holdsEnds || !held.isEmpty
      refusedEnds += held.map { RefusedEnd(end: $0, error: error) }
      ends.removeAll { tokens.contains($0.key.token) }
    }
  }

  struct RefusedEnd {
    let end: PendingEnd
    let error: any Error
  }

  /// The store could not do an exchange: nothing of it has happened. Ends are kept, and so are notes that somebody waits
  /// for.
  ///
  /// Where the error may be about something that one attempt says, everybody speaks alone from then on.
  mutating func failed(_ error: any Error, now: Duration) {
    guard let sent = inFlight else { return }
    inFlight = nil
    forgetAsked()
    guard mayConcernOne(error, now: now) else { return retreat(sent, error) }
    if apart != nil {
      guard !sent.notes.isEmpty || !sent.ends.isEmpty else { return retreat(sent, error) }
      apart!.refusedNotes += sent.notes.map { ($0, error) }
      apart!.refusedEnds += sent.ends.map { RefusedEnd(end: $0, error: error) }
      apart!.holdBack(behind: sent.notes, error)
      endApart()
    } else if !sent.ends.isEmpty || !sent.notes.isEmpty {
      apart = Apart(notes: sent.notes[...], ends: sent.ends[...])
      wakeQueues()
    } else {
      retreat(sent, error)
    }
  }

  /// Whether it may be about what one attempt says, and not about the store.
  private mutating func mayConcernOne(_ error: any Error, now: Duration) -> Bool {
    let reason = (error as? JobStoreError)?.reason
    diskFailsSince = reason == .inputOutput ? diskFailsSince ?? now : nil
    switch reason {
    case nil: return true
    case .invalid, .corrupt, .other: return true
    case .full, .readOnly, .locked, .missing, .newer, .unreachable, .closed: return false
    case .inputOutput:
      // A disk that fails for a moment fails everybody. One that goes on to may have lost just what one job needs; and in a
      // shutdown there is no later.
      if phase == .closing || now - diskFailsSince! >= Self.longestMoment { doubtsDisk = true }
      return doubtsDisk
    }
  }

  /// Time, and not how often it has failed: others who enqueue shorten the pauses.
  static let longestMoment = Duration.seconds(60)

  /// The store has answered.
  ///
  /// - Returns: whether that tells that it works. Where its disk is in doubt only what was written does: one that takes nothing
  ///   may well answer whoever has nothing to say.
  mutating func noteAnswer(_ answer: JobExchange.Answer) -> Bool {
    guard apart != nil else {
      doubtsDisk = false
      return true
    }
    let isProof = !doubtsDisk || !answer.claimed.isEmpty || answer.notes.contains(true) || answer.ends.contains(true)
    if isProof { apart!.store = .sound }
    return isProof
  }

  /// Whether somebody waits for a note who has all the time: what a step came to must not be lost because the store was
  /// away for a moment.
  private func isWaitedFor(_ note: PendingNote) -> Bool {
    note.waiter != nil && phase != .closing && attempts[note.key.token].map { $0.cancellation == nil } ?? false
  }

  /// Tells an attempt that has to end that what it waits for is not written down now. That is kept all the same, unless it
  /// counts for nothing.
  mutating func refuseNotes(of token: AttemptToken) {
    guard let problem, isBackingOff else { return }
    let all = notes
    notes = all.compactMap { $0.key.token == token ? kept($0, problem) : $0 }
  }

  /// What is said again of a note when the store can be written: what a step came to would be done again otherwise.
  private mutating func kept(_ note: PendingNote, _ error: any Error) -> PendingNote? {
    if case .progress = note.note { return nil }
    if isWaitedFor(note) { return note }
    refuse(note, error)
    guard attempts[note.key.token]?.cancellation != .lost else { return nil }
    return PendingNote(key: note.key, note: note.note, waiter: nil)
  }

  private mutating func refuse(_ note: PendingNote, _ error: any Error) {
    if let waiter = note.waiter { emit(.answer(waiter, .failed(error))) }
  }

  /// Goes back to speaking together, where everybody has spoken and it is known what to do with what was refused.
  mutating func endApart() {
    guard let all = apart, all.hasSpoken else { return }
    guard all.wasRefused else { return speakTogether() }
    guard all.store == .sound || mustConfirm(all) else {
      // Of a disk in doubt nobody knows yet who is to blame when nothing was to be written; otherwise that is asked next.
      if doubtsDisk, all.store == .asked, let error = all.refusedEnds.last?.error ?? all.refusedNotes.last?.error {
        retreat(([], []), error)
      }
      return
    }
    emit(.letGoErrors(all.errors))
    switch all.step {
    case .asking: apart = all.confirming
    case .confirming:
      for refused in all.refusedNotes { refuse(refused.note, refused.error) }
      apart!.refusedNotes = []
      apart!.step = .deciding
      emit(.substitute(all.refusedEnds))
    case .deciding: break
    }
  }

  /// Whether what a disk in doubt has refused is said to it once more, though it has taken nothing: there may be no job whose start
  /// proves that it works, and in a shutdown there is no later, but an end that was held back may do so.
  private func mustConfirm(_ all: Apart) -> Bool {
    doubtsDisk && all.step == .asking && (phase == .closing || all.store == .asked && all.holdsEnds)
  }

  /// Who may start since ends were written down one by one is asked now: jobs may have been claimed before those.
  private mutating func speakTogether() {
    apart = nil
    wakeQueues()
  }

  /// What is said in the place of what the store has refused.
  mutating func substitute(_ substitutes: [PendingEnd], lost: [RefusedEnd]) {
    speakTogether()
    ends = substitutes + ends
    for refused in lost { emit(.tellLost(1, of: refused.end.key.job, refused.error)) }
  }

  /// The store cannot be used: it is tried again later, for the last time in a shutdown.
  private mutating func retreat(_ sent: (notes: [PendingNote], ends: [PendingEnd]), _ error: any Error) {
    let unwritten = (apart?.refusedNotes.map(\.note) ?? []) + sent.notes + (apart?.notes ?? [])
    notes = unwritten.compactMap { kept($0, error) } + notes
    ends = (apart?.refusedEnds.map(\.end) ?? []) + sent.ends + (apart?.ends ?? []) + ends
    if let apart { emit(.letGoErrors(apart.errors)) }
    apart = nil
    if phase == .closing {
      for note in notes { refuse(note, error) }
      let lost = ends.count
      letGo(of: ends)
      (notes, ends) = ([], [])
      phase = .closed
      if lost > 0 { emit(.tellLost(lost, of: nil, error)) }
      return emit(.close)
    }
    wakeQueues()
    // What others had to say was not heard either, also where nothing else is to be said.
    mustListen = true
    isBackingOff = true
    storeFailures += 1
    problem = error
    let delay = Self.storeDelay(after: storeFailures)
    emit(.tryAgain(after: delay))
    emit(.tellFailed(error, retryAfter: delay))
  }

  /// The next one of those that go by themselves, or nothing at all where each was refused: whether the store takes that
  /// says who is to blame. Where its disk is in doubt, free workers ask for jobs instead: those that are claimed are written
  /// down, and whoever waits for a job is not held up.
  mutating func takeApart() -> JobExchange {
    if let note = apart!.notes.popFirst() {
      inFlight = ([note], [])
      return JobExchange(notes: [(note.key, note.note)])
    }
    if let end = apart!.ends.popFirst() {
      inFlight = ([], [end])
      return JobExchange(ends: [(end.key, end.end)])
    }
    if apart!.store == .unknown { apart!.store = .asked }
    inFlight = ([], [])
    let claims = doubtsDisk && phase == .running ? takeClaims() : []
    asked = Set(claims.map(\.queue))
    return JobExchange(claims: claims)
  }
}
