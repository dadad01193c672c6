/// A line of the history that processes write while they are killed: who says it, and what.
package struct HistoryLine: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    case start, stop
    /// The process is about to be killed: it lived until here.
    case killed
    /// From here on others may take what the process holds under tokens up to this one: its lease has passed while it lives.
    case expired(upTo: Int64)
    /// Somebody asks for the end of a job.
    case cancelling(job: Int64)
    case enqueued(job: Int64, kind: String)
    case claimed(job: Int64, token: Int64, attempt: Int)
    /// A body begins.
    case begin(job: Int64, token: Int64, attempt: Int, kind: String)
    /// A body ends, well or not.
    case end(job: Int64, token: Int64)
    /// The store is about to be told how an attempt ended.
    case ending(job: Int64, token: Int64)
    /// The store has acknowledged how an attempt ended.
    case recorded(job: Int64, token: Int64, end: String)
    case refused(job: Int64, token: Int64, end: String)
    /// The store is about to be told something else by an attempt, and has acknowledged it.
    case noting(job: Int64, token: Int64)
    case noted(job: Int64, token: Int64)
    case rescued(job: Int64, state: String)
    /// A step of a job runs, and its result is acknowledged.
    case step(job: Int64, token: Int64)
    case kept(job: Int64, token: Int64)
    /// An attempt has found the checkpoint of the attempt with that token, 0 where there was none.
    case found(job: Int64, token: Int64, checkpoint: Int64)
    /// Its own is acknowledged.
    case checkpointed(job: Int64, token: Int64)
    /// What the store says when all is over.
    case state(job: Int64, kind: String, state: String, attempts: Int, crashes: Int)
  }

  package let run: String
  package let event: Event

  /// Nil where it is no such line.
  package init?(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= 2 else { return nil }
    run = words[0]
    let numbers = words.map { Int64($0) ?? 0 }
    switch (words[1], words.count) {
    case ("start", 2): event = .start
    case ("stop", 2): event = .stop
    case ("killed", 2): event = .killed
    case ("expired", 3): event = .expired(upTo: numbers[2])
    case ("cancelling", 3): event = .cancelling(job: numbers[2])
    case ("enqueued", 4): event = .enqueued(job: numbers[2], kind: words[3])
    case ("claimed", 5): event = .claimed(job: numbers[2], token: numbers[3], attempt: Int(numbers[4]))
    case ("begin", 6):
      event = .begin(job: numbers[2], token: numbers[3], attempt: Int(numbers[4]), kind: words[5])
    case ("end", 4): event = .end(job: numbers[2], token: numbers[3])
    case ("ending", 4): event = .ending(job: numbers[2], token: numbers[3])
    case ("recorded", 5): event = .recorded(job: numbers[2], token: numbers[3], end: words[4])
    case ("refused", 5): event = .refused(job: numbers[2], token: numbers[3], end: words[4])
    case ("noting", 4): event = .noting(job: numbers[2], token: numbers[3])
    case ("noted", 4): event = .noted(job: numbers[2], token: numbers[3])
    case ("rescued", 4): event = .rescued(job: numbers[2], state: words[3])
    case ("step", 4): event = .step(job: numbers[2], token: numbers[3])
    case ("kept", 4): event = .kept(job: numbers[2], token: numbers[3])
    case ("found", 5): event = .found(job: numbers[2], token: numbers[3], checkpoint: numbers[4])
    case ("checkpointed", 4): event = .checkpointed(job: numbers[2], token: numbers[3])
    case ("state", 7):
      event = .state(
        job: numbers[2], kind: words[3], state: words[4], attempts: Int(numbers[5]), crashes: Int(numbers[6]))
    default: return nil
    }
  }
}
