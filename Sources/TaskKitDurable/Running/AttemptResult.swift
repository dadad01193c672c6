import Foundation
import TaskKit

/// What a body came to.
enum AttemptResult: Sendable {
  case succeeded(Data?)
  /// It threw; with the delay that its kind wants before the next attempt.
  case threw(text: String, delay: Duration, FailedJob)
  /// It asked for another time, or to be held.
  case asked(JobExchange.End)
  /// It asked for no further attempt.
  case gaveUp(text: String, FailedJob)
  /// It never began: it was cancelled before, its kind was forgotten, or the center has gone.
  case neverBegan
}

/// A job that may have to be told that it gave up.
struct FailedJob: Sendable {
  let registration: DurableRegistration
  let job: any DurableTask
  let id: JobID
  let attempt: Int
  let error: any Error
  var cause = AttemptFailure.Cause.error
  var text: String

  func tell(_ center: TaskCenter) async {
    await registration.didGiveUp(
      job, DurableFailure(id: id, attempts: attempt, cause: cause, text: text, error: error, center: center))
  }
}

/// What has become of a note.
enum NoteAnswer: Sendable {
  case written
  /// Another attempt holds the job, or nobody.
  case refused
  case failed(any Error)
}

typealias NoteWaiter = CheckedContinuation<NoteAnswer, Never>
