/// A store whose options are looked at before it is opened.
package protocol CheckedStore: JobStore {
  /// What of them makes no sense, with what would; each in words that go on a sentence.
  var problems: [String] { get }
}
