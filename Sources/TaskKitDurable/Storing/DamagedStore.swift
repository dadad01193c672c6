/// A store that can lose a part of what it keeps, and goes on with the rest.
package protocol DamagedStore: JobStore {
  /// The jobs that it cannot read, and passes by, as far as they have been met in this process.
  var unreadable: [JobID] { get }
}

extension DamagedStore {
  /// What is lost, and what to do; nil where nothing is.
  var damage: String? {
    let jobs = unreadable
    guard !jobs.isEmpty else { return nil }
    return """
      what belongs to \(jobs.inWords) of \(name) lies on damaged pages and is passed by; copy the file, and save the rest in a new \
      one with 'sqlite3 "\(name)" .recover | sqlite3 new.sqlite' (with the sqlite3 of sqlite.org, as those of some systems have \
      no '.recover')
      """
  }
}

extension [JobID] {
  /// The first of them, and how many others there are: for people.
  var inWords: String {
    let few = prefix(10).map(\.description).joined(separator: ", ")
    return count > 10 ? "jobs \(few) and \(count - 10) others" : count > 1 ? "jobs \(few)" : "job \(few)"
  }
}
