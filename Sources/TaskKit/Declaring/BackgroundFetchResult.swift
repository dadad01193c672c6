/// What came of looking for new data in the background: the reply to ``LifecycleEvent/performBackgroundFetch`` and
/// ``LifecycleEvent/didReceiveRemoteNotification``.
///
/// The replies of several tasks become the highest one: new data, then failed, then no data (E14).
public enum BackgroundFetchResult: Int, Sendable, Hashable, Comparable, CaseIterable, Codable {
  /// There was nothing new. What no task answers counts as this.
  case noData
  /// Looking for it did not work.
  case failed
  /// Something new has come.
  case newData

  public static func < (left: BackgroundFetchResult, right: BackgroundFetchResult) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension ReplyRule<BackgroundFetchResult> {
  /// New data when one task has some, else failed when one failed; no data when none answers.
  public static var highest: ReplyRule { .merge(whenNobodyAnswers: .noData) { max($0, $1) } }
}
