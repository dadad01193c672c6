/// Takes a time zone file apart.
struct ZoneFileParser {
  private var reader: ByteReader

  /// The format advises against anything outside; inside, no sum of times can overflow.
  private static let times: ClosedRange<Int64> = -(1 << 59)...(1 << 59)

  init(_ bytes: [UInt8]) {
    reader = ByteReader(bytes)
  }

  func file() throws -> ZoneFile {
    var parser = self
    return try parser.parse()
  }

  private mutating func parse() throws -> ZoneFile {
    let first = try ZoneFileHeader(&reader)
    guard first.version > 1 else { return try block(first, times: Int32.self, version: 1, rule: { _ in nil }) }
    // The first half is for readers of version 1; newer ones may leave it all but empty, and skip it.
    try reader.skip(first.size(timeBytes: 4))
    let second = try ZoneFileHeader(&reader)
    return try block(second, times: Int64.self, version: first.version) { try $0.footer() }
  }

  private mutating func block<Time: FixedWidthInteger>(
    _ header: ZoneFileHeader, times: Time.Type, version: Int, rule: (inout ZoneFileParser) throws -> PosixRule?
  ) throws -> ZoneFile {
    try header.check()
    let size = header.size(timeBytes: Time.bitWidth / 8)
    guard size <= reader.remaining else {
      throw Malformed("its header announces \(size) bytes of data, but only \(reader.remaining) follow")
    }
    let transitions = try (0..<header.transitions).map { _ in Int64(try reader.integer(Time.self)) }
    guard transitions.allSatisfy({ ZoneFileParser.times.contains($0) }) else {
      throw Malformed("a transition lies before the beginning of the universe, or as far ahead")
    }
    guard zip(transitions, transitions.dropFirst()).allSatisfy(<) else {
      throw Malformed("its transitions are not in ascending order")
    }
    let indices = try Array(reader.read(header.transitions))
    guard indices.allSatisfy({ $0 < header.types }) else {
      throw Malformed("a transition leads to a kind of local time that it does not have")
    }
    let types = try types(header)
    let leaps = try (0..<header.leapSeconds).map { _ in
      (time: Int64(try reader.integer(Time.self)), correction: Int64(try reader.integer(Int32.self)))
    }
    try reader.skip(header.standardIndicators + header.utcIndicators)
    return ZoneFile(
      version: version, transitions: transitions.map { ZoneFileParser.unixTime($0, leaps) }, typeIndices: indices,
      types: types, rule: try rule(&self))
  }

  private mutating func types(_ header: ZoneFileHeader) throws -> [LocalTimeType] {
    let raw = try (0..<header.types).map { _ in
      (offset: Int(try reader.integer(Int32.self)), isDaylight: try reader.byte(), name: Int(try reader.byte()))
    }
    let characters = Array(try reader.read(header.characters))
    return try raw.map { type in
      guard (-89_999...93_599).contains(type.offset) else {
        throw Malformed("a local time is \(type.offset) s from UTC")
      }
      guard type.isDaylight <= 1 else { throw Malformed("a local time is neither standard nor daylight saving time") }
      guard type.name < characters.count, let end = characters[type.name...].firstIndex(of: 0) else {
        throw Malformed("an abbreviation lies outside of its text")
      }
      return LocalTimeType(
        offset: type.offset, isDaylight: type.isDaylight == 1,
        abbreviation: String(decoding: characters[type.name..<end], as: UTF8.self))
    }
  }

  private mutating func footer() throws -> PosixRule? {
    let rest = reader.rest()
    let newline = UInt8(ascii: "\n")
    guard rest.first == newline, let end = rest.dropFirst().firstIndex(of: newline) else {
      throw Malformed("its last line, the rule for the future, is missing or cut off")
    }
    let text = rest[rest.startIndex + 1..<end]
    return text.isEmpty ? nil : try PosixRule(String(decoding: text, as: UTF8.self))
  }

  /// The files under `right/` count leap seconds; here a day always has 86,400 s, as in Unix time.
  private static func unixTime(_ time: Int64, _ leaps: [(time: Int64, correction: Int64)]) -> Int64 {
    time - (leaps.last { $0.time <= time }?.correction ?? 0)
  }
}
