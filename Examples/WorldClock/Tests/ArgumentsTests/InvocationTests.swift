import Arguments
import Foundation
import Testing

struct InvocationTests {
  @Test func `what is no option is asked for, in its order`() throws {
    let invocation = try Invocation(arguments: ["Berlin", "--json", "Asia/Tokyo", "--", "--json"])
    #expect(invocation.queries == ["Berlin", "Asia/Tokyo", "--json"])
    #expect(invocation.isJSON && !invocation.isHelp)
  }

  @Test func `a watch may have a file for the number of its process`() throws {
    let invocation = try Invocation(arguments: ["--watch", "--pid-file", "pid", "--zone-file", "localtime", "Berlin"])
    #expect(invocation.isWatching && invocation.processFile == "pid" && invocation.queries == ["Berlin"])
    #expect(invocation.zoneFile == "localtime")
  }

  @Test func `digests are posted to an address, and kept in a file until they have arrived`() throws {
    let invocation = try Invocation(
      arguments: ["--post", "http://localhost:8080/digests", "--digests=3", "--outbox", "outbox.sqlite", "Berlin"])
    #expect(invocation.destination?.absoluteString == "http://localhost:8080/digests")
    #expect(invocation.digests == 3 && invocation.outbox == "outbox.sqlite" && invocation.queries == ["Berlin"])
    #expect(try Invocation(arguments: ["--outbox", "outbox.sqlite"]).destination == nil)
  }

  @Test(arguments: [["--home", "UTC"], ["--home=UTC"]])
  func `a value follows, or stands behind an equals sign`(arguments: [String]) throws {
    #expect(try Invocation(arguments: arguments).home == "UTC")
  }

  @Test(
    arguments: [
      ("0", 0), ("@1761350400", 1_761_350_400), ("-1", -1), ("2026-10-25T00:59:59Z", 1_792_889_999),
      ("2026-10-25 00:59", 1_792_889_940), ("2024-02-29", 1_709_164_800), ("0001-01-01", -62_135_596_800),
      ("9999-12-31T23:59:59Z", 253_402_300_799),
    ] as [(String, Int64)])
  func `times are Unix times or dates in UTC`(text: String, time: Int64) throws {
    #expect(try Invocation(arguments: ["--at=\(text)"]).instant == time)
  }

  @Test(arguments: [
    ["--at"], ["--at", "soon"], ["--at", "2026-02-29"], ["--at", "2026-13-01"], ["--at", "2026-01-01T24:00"],
    ["--at", "9223372036854775807"], ["--at", "99999999999999999999"], ["--home"], ["--json=1"], ["--nope"], ["-x"],
    [""], ["--watch", "--json"], ["--pid-file", "pid"], ["--watch", "--pid-file"],
    ["--post", "http://localhost/"], ["--post", "localhost", "--outbox", "o"], ["--outbox", "o", "Berlin"],
    ["--outbox", "o", "--watch"], ["--outbox", "o", "--json"], ["--digests", "2", "--outbox", "o"],
    ["--post", "http://localhost/", "--outbox", "o", "--digests", "0"],
  ])
  func `what cannot be understood is an error`(arguments: [String]) {
    #expect(throws: UsageError.self) { try Invocation(arguments: arguments) }
  }
}
