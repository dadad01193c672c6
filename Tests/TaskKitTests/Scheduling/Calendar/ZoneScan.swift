import Foundation
import TaskKit

/// A time zone and the instants at which its offset changes, found without the code under test.
struct ScannedZone: Sendable {
  let zone: TimeZone
  /// Seconds since 1970.
  let changes: [Int]

  static let years = 0..<2_240_611_200  // 1970 to 2040, both of them

  /// Zones that the system's list leaves out, although it knows them.
  private static let unlisted = ["CET", "EET", "MET", "WET", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT"]

  /// The names in the system's own table of zones, those that stand for another one among them; nil where there is none to be
  /// read. Foundation has a table of its own, which may be older.
  static let table: Set<String>? = {
    guard let text = try? String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8) else { return nil }
    return Set(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard words.count > 2 else { return nil }
        return switch words[0] {
        case "Z": String(words[1])
        case "L": String(words[2])
        default: nil
        }
      })
  }()

  /// All zones of the system, those of the same changes once only.
  static let all: [ScannedZone] = {
    var fingerprints: Set<[Int]> = []
    let listed = Set(TimeZone.knownTimeZoneIdentifiers + unlisted)
    return (listed.sorted() + (table ?? []).subtracting(listed).sorted()).compactMap { identifier in
      guard let zone = TimeZone(identifier: identifier) else { return nil }
      let changes = findChanges(zone)
      let fingerprint = [zone.offset(years.lowerBound)] + changes.flatMap { [$0, zone.offset($0)] }
      return fingerprints.insert(fingerprint).inserted ? ScannedZone(zone: zone, changes: changes) : nil
    }
  }()

  /// Two ways to find them: what the zone itself lists, and a reading at noon and midnight of each fifth day. What one
  /// of them misses, the other has.
  private static func findChanges(_ zone: TimeZone) -> [Int] {
    var found: Set<Int> = []
    var date = Date(timeIntervalSince1970: 0)
    while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date {
      let time = Int(next.timeIntervalSince1970)
      guard years.contains(time) else { break }
      if zone.offset(time) != zone.offset(time - 1) { found.insert(time) }
      date = next
    }
    var time = years.lowerBound
    while time < years.upperBound {
      let next = time + 5 * 86_400
      if zone.offset(time) != zone.offset(next), !found.contains(where: { $0 > time && $0 <= next }) {
        found.insert((time + 1...next).first { zone.offset($0) != zone.offset($0 - 1) } ?? next)
      }
      time = next
    }
    return found.sorted()
  }
}

extension TimeZone {
  func offset(_ time: Int) -> Int { secondsFromGMT(for: Date(timeIntervalSince1970: Double(time))) }
}

/// A rule for every day.
struct PlainRule {
  let text: String
  let isRate: Bool
  // Bits, because each is asked for millions of times.
  private let minutes: UInt64
  private let hours: UInt64

  init(_ text: String, minutes: [Int], hours: [Int], isRate: Bool = false) {
    self.text = text
    self.minutes = minutes.reduce(0) { $0 | 1 << UInt64($1) }
    self.hours = hours.reduce(0) { $0 | 1 << UInt64($1) }
    self.isRate = isRate
  }

  func matches(_ local: Int) -> Bool {
    // Local times before 1970 are an hour or two at most.
    let time = (local + 86_400) % 86_400
    return time % 60 == 0 && minutes >> UInt64(time / 60 % 60) & 1 == 1 && hours >> UInt64(time / 3600) & 1 == 1
  }

  func matchesHour(_ local: Int) -> Bool {
    hours >> UInt64((local + 86_400) % 86_400 / 3600) & 1 == 1
  }
}

/// An occurrence as the oracle and the library both say it.
struct Occurrence: Equatable, CustomStringConvertible {
  let time: Int
  /// Seconds since 1970 on the local clock.
  let civil: Int
  let isRepeated: Bool

  var description: String { "\(time): \(civil)\(isRepeated ? ", repeated" : "")" }
}

extension Occurrence {
  init(_ instant: ScheduledInstant) {
    let civil = instant.civil
    self.init(
      time: Int(instant.date.timeIntervalSince1970),
      civil: Self.day(civil) * 86_400 + civil.hour * 3600 + civil.minute * 60 + civil.second,
      isRepeated: instant.isRepeated)
  }
}

extension Occurrence {
  /// Days since 1970 of the years 1969 to 2041, counted year by year.
  private static func day(_ civil: CivilTime) -> Int {
    let isLeap = civil.year % 4 == 0
    let months = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    // The first leap year counted is 1972.
    let years = (civil.year - 1970) * 365 + (civil.year - 1969) / 4
    return years + months.prefix(civil.month - 1).reduce(0, +) + civil.day - 1
  }
}

/// The local time around a change of the clocks, read minute by minute.
struct LocalMinutes {
  let times: ClosedRange<Int>
  private let step: Int
  private let locals: [Int]

  init(_ zone: TimeZone, around change: Int, hours: Int) {
    // Local mean time may have minutes that are none of UTC's.
    step = [change - 1, change].contains { zone.offset($0) % 60 != 0 } ? 1 : 60
    times = (change - hours * 3600)...(change + hours * 3600)
    locals = stride(from: times.lowerBound, through: times.upperBound, by: step).map { $0 + zone.offset($0) }
  }

  /// What is due in this time, by walking through it.
  func occurrences(of rule: PlainRule, _ policy: ClockChangePolicy) -> [Occurrence] {
    var result: [Occurrence] = []
    var repeatedUntil = Int.min
    func add(_ index: Int, _ civil: Int, isRepeated: Bool = false) {
      result.append(Occurrence(time: times.lowerBound + index * step, civil: civil, isRepeated: isRepeated))
    }
    for index in 1..<locals.count {
      let local = locals[index]
      let expected = locals[index - 1] + step
      if local < expected { repeatedUntil = expected }
      if rule.matches(local) {
        let isRepeated = local < repeatedUntil
        if !isRepeated || rule.isRate || policy.overlap == .both { add(index, local, isRepeated: isRepeated) }
      } else if local > expected, policy.gap == .runAfter {
        guard let skipped = stride(from: expected, to: local, by: step).first(where: rule.matches) else { continue }
        if rule.isRate, rule.matchesHour(expected - 1) || rule.matchesHour(local) { continue }
        add(index, skipped)
      }
    }
    return result
  }
}
