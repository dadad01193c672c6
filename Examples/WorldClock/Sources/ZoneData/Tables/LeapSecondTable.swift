/// When leap seconds were put in: `leap-seconds.list`, or `leapseconds`.
public struct LeapSecondTable: Sendable, Hashable {
  /// The files that have one, the better one first.
  public static let fileNames = ["leap-seconds.list", "leapseconds"]

  public let leapSeconds: [LeapSecond]
  /// The Unix time until which the table is known to be complete.
  public let expires: Int64?

  /// Atomic time minus UTC at a Unix time, in seconds; 10 before the first leap second.
  public func difference(at time: Int64) -> Int {
    10 + (leapSeconds.last { $0.time <= time }?.correction ?? 0)
  }

  /// - Throws: ``ZoneDataError`` if the text has no line in one of the two forms.
  public init(path: String, text: String) throws(ZoneDataError) {
    let lines = text.split(whereSeparator: \.isNewline)
    let compiled = lines.compactMap(LeapSecondTable.compiled)
    leapSeconds = compiled.isEmpty ? LeapSecondTable.numbered(lines) : compiled
    expires = lines.lazy.compactMap(LeapSecondTable.expiry).first
    guard !leapSeconds.isEmpty else { throw ZoneDataError(path: path, reason: "it lists no leap seconds") }
  }

  /// Seconds from 1900, where the list counts from, to 1970.
  private static let epoch: Int64 = 2_208_988_800

  /// What can be a time in one of the files: from the year 1900 to about 5100.
  private static let times: ClosedRange<Int64> = 0...100_000_000_000

  /// `3692217600 37 # 1 Jan 2017`: seconds since 1900, and atomic time minus UTC from then on.
  private static func compiled(_ line: Substring) -> LeapSecond? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count >= 2, let time = Int64(words[0]), times.contains(time), let difference = Int(words[1]),
      (11...1_000).contains(difference)
    else { return nil }
    return LeapSecond(time: time - epoch, correction: difference - 10)
  }

  /// `Leap 2016 Dec 31 23:59:60 + S`
  private static func numbered(_ lines: [Substring]) -> [LeapSecond] {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var correction = 0
    return lines.compactMap { line in
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count >= 6, words[0] == "Leap", let year = Int(words[1]),
        let month = months.firstIndex(of: String(words[2])),
        let day = Int(words[3]), (1600...9999).contains(year), (1...31).contains(day)
      else { return nil }
      correction += words[5] == "-" ? -1 : 1
      return LeapSecond(
        time: Int64(CivilTime.day(year: year, month: month + 1, day: day) + 1) * 86_400, correction: correction)
    }
  }

  /// `#@ 3991593600`, since 1900, or `#expires 1782604800`, since 1970.
  private static func expiry(_ line: Substring) -> Int64? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count >= 2, let time = Int64(words[1]), times.contains(time) else { return nil }
    return switch words[0] {
    case "#@": time - epoch
    case "#expires": time
    default: nil
    }
  }
}
