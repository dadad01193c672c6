import Testing
import ZoneData

struct ZoneFileTests {
  private static func file(_ change: (inout ZoneFileBytes) -> Void = { _ in }) throws -> ZoneFile {
    var written = ZoneFileBytes()
    change(&written)
    return try ZoneFile(path: "Test/Zone", bytes: written.bytes)
  }

  @Test func `a file of version 2 says what was written`() throws {
    let file = try ZoneFileTests.file()
    #expect(file.version == 2)
    #expect(file.transitions == [1_000, 2_000])
    #expect(file.types.map(\.abbreviation) == ["CET", "CEST"])
    #expect(file.types.map(\.offset) == [3_600, 7_200])
    #expect(file.rule?.daylight?.type.abbreviation == "CEST")
  }

  @Test func `a file of version 1 has no rule, and its last local time goes on`() throws {
    let zone = Zone(name: "Test/Zone", file: try ZoneFileTests.file { $0.version = 0 })
    #expect(zone.file.version == 1 && zone.file.rule == nil)
    #expect(zone.localTime(at: 4_000_000_000).abbreviation == "CET")
    #expect(zone.nextTransition(after: 2_000) == nil)
  }

  @Test func `the first local time holds before the first transition`() throws {
    let zone = Zone(name: "Test/Zone", file: try ZoneFileTests.file())
    #expect(zone.localTime(at: 999).abbreviation == "CET")
    #expect(zone.localTime(at: 1_000).abbreviation == "CEST")
    #expect(zone.nextTransition(after: 0)?.time == 1_000)
  }

  @Test func `without transitions and rule there is one local time for ever`() throws {
    let file = try ZoneFileTests.file {
      $0.transitions = []
      $0.indices = []
      $0.footer = "\n\n"
    }
    let zone = Zone(name: "Test/Zone", file: file)
    #expect(zone.localTime(at: 0).abbreviation == "CET")
    #expect(zone.nextTransition(after: 0) == nil)
  }

  @Test func `leap seconds are taken out of the times`() throws {
    let file = try ZoneFileTests.file { $0.leaps = [(1_500, 1)] }
    #expect(file.transitions == [1_000, 1_999])
  }

  /// A way to write a file wrongly, and what is said about it.
  struct Mistake: Sendable {
    let message: String
    let make: @Sendable (inout ZoneFileBytes) -> Void

    static let all = [
      Mistake(message: "does not begin with 'TZif'") { $0.magic = "TZzz" },
      Mistake(message: "version is byte 88") { $0.version = 88 },
      Mistake(message: "ascending order") { $0.transitions = [2_000, 1_000] },
      Mistake(message: "beginning of the universe") { $0.transitions = [.min, 0] },
      Mistake(message: "kind of local time that it does not have") { $0.indices = [1, 2] },
      Mistake(message: "neither standard nor daylight") { $0.daylight = [0, 2] },
      Mistake(message: "-90000 s from UTC") { $0.offsets = [3_600, -90_000] },
      Mistake(message: "outside of its text") { $0.nameIndices = [0, 200] },
      Mistake(message: "outside of its text") { $0.characters = "CET\0CEST" },
      Mistake(message: "0 kinds of local time") { ($0.offsets, $0.transitions, $0.indices) = ([], [], []) },
      Mistake(message: "indicators") { $0.indicators = 1 },
      Mistake(message: "rule for the future") { $0.footer = "" },
      Mistake(message: "rule for the future") { $0.footer = "\nCET-1" },
      Mistake(message: "'CET-1CEST,M3' is malformed") { $0.footer = "\nCET-1CEST,M3\n" },
    ]
  }

  @Test(arguments: Mistake.all) func `what is wrong is said, with the file`(mistake: Mistake) throws {
    let error = try #require(throws: ZoneDataError.self) { try ZoneFileTests.file(mistake.make) }
    #expect(error.path == "Test/Zone")
    #expect("\(error)".contains(mistake.message))
  }

  @Test func `a file that is cut off anywhere is an error`() throws {
    let bytes = ZoneFileBytes().bytes
    for length in 0..<bytes.count - 1 {
      #expect(throws: ZoneDataError.self) { try ZoneFile(path: "cut", bytes: Array(bytes.prefix(length))) }
    }
  }

  @Test func `no single wrong byte brings anything down`() throws {
    let bytes = ZoneFileBytes().bytes
    for position in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var wrong = bytes
        wrong[position] = value
        guard let file = try? ZoneFile(path: "wrong", bytes: wrong) else { continue }
        let zone = Zone(name: "wrong", file: file)
        for time in [-62_135_596_800, 0, 1_500, 1_700_000_000, 253_402_300_799] as [Int64] {
          _ = zone.localTime(at: time)
          _ = zone.nextTransition(after: time)
        }
      }
    }
  }
}
