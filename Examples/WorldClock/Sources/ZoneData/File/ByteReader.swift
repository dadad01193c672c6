/// Reads big-endian numbers from bytes and says so when there are not enough.
struct ByteReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var remaining: Int { bytes.count - position }

  mutating func read(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count <= remaining else {
      throw Malformed(
        "it ends after \(bytes.count) bytes, in the middle of something that needs \(count - remaining) more")
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func skip(_ count: Int) throws {
    _ = try read(count)
  }

  mutating func byte() throws -> UInt8 {
    let byte = try read(1)
    return byte[byte.startIndex]
  }

  mutating func integer<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
    try read(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// Everything that is left.
  mutating func rest() -> ArraySlice<UInt8> {
    defer { position = bytes.count }
    return bytes[position...]
  }
}
