/// The first 44 bytes of each half of a time zone file: the version, and how many of everything follows.
struct ZoneFileHeader {
  static let magic = Array("TZif".utf8)

  let version: Int
  let utcIndicators: Int
  let standardIndicators: Int
  let leapSeconds: Int
  let transitions: Int
  let types: Int
  let characters: Int

  init(_ reader: inout ByteReader) throws {
    guard reader.remaining >= 44 else {
      throw Malformed("it has only \(reader.remaining) bytes where a header of 44 belongs")
    }
    guard try Array(reader.read(4)) == ZoneFileHeader.magic else { throw Malformed("it does not begin with 'TZif'") }
    switch try reader.byte() {
    case 0: version = 1
    case let digit where (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(digit):
      version = Int(digit - UInt8(ascii: "0"))
    case let byte: throw Malformed("its version is byte \(byte), which is no known one")
    }
    try reader.skip(15)
    func count() throws -> Int { Int(try reader.integer(UInt32.self)) }
    utcIndicators = try count()
    standardIndicators = try count()
    leapSeconds = try count()
    transitions = try count()
    types = try count()
    characters = try count()
  }

  /// How many bytes of data follow when times take that many bytes each.
  func size(timeBytes: Int) -> Int {
    transitions * (timeBytes + 1) + types * 6 + characters + leapSeconds * (timeBytes + 4) + standardIndicators
      + utcIndicators
  }

  /// Refuses what the format forbids and a reader would stumble over.
  func check() throws {
    guard types > 0, types <= 256 else { throw Malformed("it has \(types) kinds of local time; 1 to 256 are possible") }
    guard characters > 0 else { throw Malformed("it has no abbreviations") }
    guard [0, types].contains(utcIndicators), [0, types].contains(standardIndicators) else {
      throw Malformed("the number of its indicators is neither 0 nor that of its kinds of local time")
    }
  }
}
