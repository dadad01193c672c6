import TaskKitDurable
import Testing

@Suite struct JobStoreErrorTests {
  @Test(arguments: [
    (JobStoreError.Reason.corrupt, "Look after the server"), (.missing, "Make the database"),
  ])
  func `what is wrong at a server is not to be repaired as a file is`(reason: JobStoreError.Reason, advice: String) {
    let server = "postgresql://db.example.org/app"
    let error = JobStoreError(reason, store: server, detail: "as the test wants it").description
    #expect(error.hasPrefix(server))
    #expect(error.contains(": as the test wants it. \(advice)"))
    for words in ["sqlite3", "Copy", "move", "folder"] { #expect(!error.contains(words), "\(words)") }
  }
}
