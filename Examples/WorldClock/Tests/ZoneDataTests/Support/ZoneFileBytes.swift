/// Writes time zone files, right ones and wrong ones.
struct ZoneFileBytes {
  var magic = "TZif"
  var version: UInt8 = UInt8(ascii: "2")
  var transitions: [Int64] = [1_000, 2_000]
  var indices: [UInt8] = [1, 0]
  var offsets: [Int32] = [3_600, 7_200]
  var daylight: [UInt8] = [0, 1]
  var nameIndices: [UInt8] = [0, 4]
  var characters = "CET\0CEST\0"
  var leaps: [(time: Int64, correction: Int32)] = []
  var indicators = 0
  var footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"

  var bytes: [UInt8] {
    guard version != 0 else { return block(timeBytes: 4) }
    return block(timeBytes: 4) + block(timeBytes: 8) + Array(footer.utf8)
  }

  private func block(timeBytes: Int) -> [UInt8] {
    func integer(_ value: Int64, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var bytes = Array(magic.utf8) + [version] + Array(repeating: 0, count: 15)
    for count in [indicators, indicators, leaps.count, transitions.count, offsets.count, characters.utf8.count] {
      bytes += integer(Int64(count), 4)
    }
    bytes += transitions.flatMap { integer($0, timeBytes) } + indices
    for type in offsets.indices { bytes += integer(Int64(offsets[type]), 4) + [daylight[type], nameIndices[type]] }
    bytes += Array(characters.utf8)
    bytes += leaps.flatMap { integer($0.time, timeBytes) + integer(Int64($0.correction), 4) }
    return bytes + Array(repeating: 0, count: indicators * 2)
  }
}
