import Foundation
import Testing
import ZoneData

/// Every zone of this machine, compared with what others make of the same files.
@Suite(.enabled(if: SystemDatabase.found != nil, "this machine has no time zone database"))
struct OracleTests {
  /// The turn of each half year from 1850 to 2110, some years far from now, and the seconds around each change.
  private static func times(for zone: Zone) -> [Int64] {
    var times = (0...520).map { Int64($0) * 15_778_476 - 3_786_825_600 }
    times += [-8_000_000_000, 9_999_999_999, 32_503_680_000, 253_402_300_799]
    for transition in zone.file.transitions { times += [transition - 1, transition, transition + 1] }
    var last = Int64(1_700_000_000)
    for _ in 0..<8 {
      guard let next = zone.nextTransition(after: last) else { break }
      times += [next.time - 1, next.time]
      last = next.time
    }
    // What `date` reads has at least four digits in its years.
    return times.filter { (-62_000_000_000...253_402_300_799).contains($0) }
  }

  @Test(.enabled(if: DateCommand.isGNU, "only GNU date reads many times at once"))
  func `every zone shows what GNU date shows`() throws {
    var compared = 0
    for zone in try SystemDatabase.zones() {
      let times = OracleTests.times(for: zone)
      let lines = try DateCommand.lines(for: times, zone: zone.name)
      let wrong = lines.filter { line in
        let ours = zone.localTime(at: line.time)
        return OracleTests.text(ours) != line.offset || ours.abbreviation != line.abbreviation
      }
      #expect(wrong.isEmpty, "\(zone.name), version \(zone.file.version)")
      compared += lines.count
    }
    #expect(compared > 100_000)
  }

  #if canImport(Darwin)
  @Test func `every zone shows what Foundation shows`() throws {
    for zone in try SystemDatabase.zones() {
      guard let oracle = TimeZone(identifier: zone.name) else { continue }
      let wrong = stride(from: Int64(0), to: 2_114_380_800, by: 86_400 * 5 + 3_601).filter { time in
        oracle.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(time))) != zone.localTime(at: time).offset
      }
      #expect(wrong.isEmpty, "\(zone.name)")
    }
  }
  #endif

  @Test func `nothing changes before the next transition`() throws {
    for zone in try SystemDatabase.zones() {
      var time = Int64(-2_000_000_000)
      for _ in 0..<60 {
        guard let next = zone.nextTransition(after: time) else { break }
        #expect(next.time > time && next.before != next.after)
        #expect(zone.localTime(at: next.time) == next.after)
        let current = zone.localTime(at: time)
        let samples = stride(from: time, to: next.time, by: max(1, Int((next.time - time) / 25)))
        #expect(samples.allSatisfy { zone.localTime(at: $0) == current }, "\(zone.name) before \(next.time)")
        #expect(zone.localTime(at: next.time - 1) == current)
        time = next.time
      }
    }
  }

  @Test func `files that count leap seconds show the same times`() throws {
    let database = try #require(SystemDatabase.found)
    let names = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe"]
    for name in names {
      // Not every system has these files.
      guard let bytes = try? database.bytes(of: "right/" + name) else { continue }
      let right = Zone(name: name, file: try ZoneFile(path: "right/" + name, bytes: bytes))
      let ordinary = Zone(name: name, file: try ZoneFile(path: name, bytes: database.bytes(of: name)))
      // These files end when the table of leap seconds does, and have no rule for the time after that.
      let times = OracleTests.times(for: ordinary).filter { $0 < 1_700_000_000 }
      #expect(times.allSatisfy { right.localTime(at: $0) == ordinary.localTime(at: $0) }, "\(name)")
      #expect(times.allSatisfy { right.nextTransition(after: $0) == ordinary.nextTransition(after: $0) }, "\(name)")
    }
  }

  /// In the form of `date +%::z`, which writes minus zero where there is no local time.
  private static func text(_ type: LocalTimeType) -> String {
    let size = abs(type.offset)
    let parts = [size / 3_600, size / 60 % 60, size % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return (type.offset < 0 || type.abbreviation == "-00" ? "-" : "+") + parts.joined(separator: ":")
  }
}
