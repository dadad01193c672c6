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
    let few = jobs.prefix(10).map(\.description).joined(separator: ", ")
    let list =
      jobs.count > 10 ? "jobs \(few) and \(jobs.count - 10) others" : jobs.count > 1 ? "jobs \(few)" : "job \(few)"
    return """
      what belongs to \(list) of \(name) lies on damaged pages and is passed by; copy the file, and save the rest in a new \
      one with 'sqlite3 "\(name)" .recover | sqlite3 new.sqlite' (with the sqlite3 of sqlite.org, as those of some systems have \
      no '.recover')
      """
  }
}
