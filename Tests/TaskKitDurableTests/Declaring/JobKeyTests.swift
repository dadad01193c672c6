import Foundation
import TaskKit
@testable import TaskKitDurable
import TaskKitTesting
import Testing

private enum Region: String, Codable, Sendable { case north, south }
extension Region: JobKey {}

private enum Shelf: Int, Codable, Sendable { case low = 1, high }
extension Shelf: JobKey {}

private struct Page: DurableTask {
  var text = "a/b"
  var number = -7
  var small: UInt8 = 255
  var isDraft = true
  var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
  var address = URL(string: "https://example.com/a%20b?c=d")!
  var region = Region.north
  var shelf = Shelf.high

  var part: Substring { text.prefix(1) }
  var host: String? { address.host }
  var owner: UUID? { nil }
  var shelfBefore: Shelf? { .low }

  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "page", type: Self.self, collected: (), at: ("Tests/Page.swift", 1, 1),
      options: JobOptions(unique: .by(\.owner), keyLimit: .by(\.host, count: 3)), run: { _, _ in })
  }
}

@Suite struct JobKeyTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let rule: UniqueRule<Page>
    let key: String?
    var testDescription: String { key ?? "none" }
  }

  private static let cases = [
    Case(rule: .by(\.text), key: "page/a/b"), Case(rule: .by(\.number), key: "page/-7"),
    Case(rule: .by(\.small), key: "page/255"), Case(rule: .by(\.isDraft), key: "page/true"),
    Case(rule: .by(\.part), key: "page/a"), Case(rule: .by(\.id), key: "page/E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
    Case(rule: .by(\.address), key: "page/https://example.com/a%20b?c=d"),
    Case(rule: .by(\.region), key: "page/north"), Case(rule: .by(\.shelf), key: "page/2"),
    Case(rule: .by { "\($0.region.rawValue) \($0.number)" }, key: "page/north -7"),
    Case(rule: .by(\.host), key: "page/example.com"), Case(rule: .by(\.owner), key: nil),
    Case(rule: .by(\.address.host), key: "page/example.com"), Case(rule: .one(), key: "page/"),
    Case(rule: .by { $0.owner ?? $0.id }, key: "page/E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
    Case(rule: .by { $0.isDraft ? nil : $0.number }, key: nil), Case(rule: .by(\.shelfBefore), key: "page/1"),
  ]

  @Test(arguments: cases)
  private func `a key is the text of its value, the same in every process`(_ row: Case) {
    #expect(row.rule.key("page", Page())?.key == row.key)
  }

  @Test func `an address that is relative is the whole one`() throws {
    let base = try #require(URL(string: "https://example.com/folder/"))
    let page = Page(address: try #require(URL(string: "page", relativeTo: base)))
    let rule = UniqueRule<Page>.by(\.address)
    #expect(rule.key("page", page)?.key == "page/https://example.com/folder/page")
  }

  @Test func `the key of an optional is that of its value, and nil is none`() async throws {
    let bench = try JobBench(Page.self)
    let first = try await bench.center.enqueue(Page())
    #expect(try await bench.center.enqueue(Page()) != first, "of no key there may be several")
    let job = try await bench.center.jobs.snapshot(of: first)
    #expect(job?.uniqueKey == nil)
    #expect(job?.limit == KeyLimit("page/example.com", count: 3))
    #expect(KeyLimitRule<Page>.by(\.owner).limit("page", Page()) == nil)
    #expect(KeyLimitRule<Page>.shared(\.host).limit("page", Page()) == KeyLimit("example.com"))
    #expect(KeyLimitRule<Page>.shared(\.owner).limit("page", Page()) == nil)
    #expect(KeyLimitRule<Page>.shared(\.number, count: 2).limit("page", Page()) == KeyLimit("-7", count: 2))
  }
}
