import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Events that want a reply (DESIGN 5: `LifecycleEvent<Payload, Reply>`; E9).
@Suite struct ReplyTests {
  /// Each rule, what each task answers (nil abstains), and what comes of it (nil: nobody answered).
  @Test(
    arguments: [
      ("any", [false, true, false], true), ("any", [false, false], false), ("any", [nil, nil], false),
      ("any", [], false),
      ("all", [true, true], true), ("all", [true, false, true], false), ("all", [nil, nil], true), ("all", [], true),
      ("first", [nil, false, true], false), ("first", [true, false], true), ("first", [nil], nil), ("first", [], nil),
    ] as [(String, [Bool?], Bool?)])
  func `any, all and first`(rule: String, answers: [Bool?], reply: Bool?) async throws {
    let event = LifecycleEvent<Void, Bool>(
      "question", reply: rule == "any" ? .any : rule == "all" ? .all : .first)
    let center = try TaskCenter.with(
      answers.enumerated().map { number, answer in
        let name = TaskName("\(number)")
        guard let answer else { return .event(event, name: name) { _ in } }
        return .event(event, name: name, replying: { _ in answer })
      })
    let report = await center.send(event)
    #expect(report.reply(to: event) == reply)
    #expect(report.isSuccess)
    // Every task is asked, whatever the others answered (E9).
    #expect(report.tasks.count == answers.count)
  }

  @Test func `a reply that may be nil is told from none`() async throws {
    let event = LifecycleEvent<Void, Int?>("guess", reply: .first)
    func words(_ reply: Int??) -> String { reply.map { $0.map { "\($0)" } ?? "nil" } ?? "none" }
    let nobody = await TaskCenter().send(event)
    #expect(words(nobody.reply(to: event)) == "none")
    let center = try TaskCenter.with([.event(event, name: "guesses", replying: { _ in Int?.none })])
    let somebody = await center.send(event)
    #expect(words(somebody.reply(to: event)) == "nil")
  }

  @Test(arguments: [Int.max, 1])
  func `replies are merged in the order of the law, whatever order they come in`(limit: Int) async throws {
    let event = LifecycleEvent<Void, [String]>("words", reply: .merge { $0 + $1 })
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(event, name: "a", replying: { _ in ["a"] }),
        .event(
          event, name: "b", priority: .critical,
          replying: { _ in
            // Last to answer, first in the law, where that is possible.
            if limit > 1 { await gate.pass() }
            return ["b"]
          }),
        .event(
          event, name: "c", after: ["a"],
          replying: { @MainActor _ in
            gate.open()
            return ["c"]
          }),
        .event(event, name: "d") { _ in },
      ], limit: limit)
    let report = await center.send(event)
    #expect(report.reply(to: event) == ["b", "a", "c"])
    #expect(report.reply as? [String] == ["b", "a", "c"])
  }

  @Test func `a merge that nobody answers has the reply that was given for that`() async throws {
    let event = LifecycleEvent<Void, Int>("sum", reply: .merge(whenNobodyAnswers: 7) { $0 + $1 })
    let center = try TaskCenter.with([.event(event, name: "abstains") { _ in }])
    #expect(await center.send(event).reply(to: event) == 7)
    try center.inject([
      .event(event, name: "one", replying: { _ in 1 }), .event(event, name: "two", replying: { _ in 2 }),
    ])
    #expect(await center.send(event).reply(to: event) == 3)
  }

  @Test func `who fails, is skipped or comes too late does not answer`() async throws {
    let clock = VirtualClock()
    let never = Gate()
    let event = LifecycleEvent<Void, [String]>("words", reply: .merge { $0 + $1 })
    let center = try TaskCenter.with(
      [
        .event(event, name: "fails", replying: { _ -> [String] in throw Broken() }),
        .event(event, name: "needy", dependencies: ["fails"], replying: { _ in ["needy"] }),
        .event(event, name: "disabled", replying: { _ -> [String] in throw TaskDisabled() }),
        .event(
          event, name: "late", timeout: .seconds(5),
          replying: { _ -> [String] in
            try? await never.passUnlessCancelled()
            return ["late"]
          }),
        .event(event, name: "answers", replying: { _ in ["answers"] }),
      ], clock: clock)
    let run = center.begin(event)
    await clock.step(to: .seconds(5))
    #expect(await run.report.reply(to: event) == ["answers"])
  }

  @Test func `a reply that comes too late is recorded`() async throws {
    let clock = VirtualClock()
    let (never, gate) = (Gate(), Gate())
    let event = LifecycleEvent<Void, Bool>("question", reply: .any)
    let center = try TaskCenter.with(
      [
        .event(
          event, name: "times out", timeout: .seconds(5),
          replying: { _ in
            try? await never.passUnlessCancelled()
            return true
          }),
        .event(
          event, name: "is left behind",
          replying: { _ in
            await gate.pass()
            return true
          }),
      ], clock: clock)
    let events = center.events.makeAsyncIterator()
    let run = center.begin(event, deadline: .seconds(9))
    await clock.step(to: .seconds(5))
    #expect(await events.words(until: "taskReturnedLate times out: succeeded").count > 1)
    await clock.step(to: .seconds(9))
    #expect(await run.report.reply(to: event) == false)
    gate.open()
    #expect(await events.words(until: "taskReturnedLate is left behind: succeeded").count > 1)
    #expect(try center.statistics(of: "times out").lateReturns == 1)
    #expect(try center.statistics(of: "is left behind").lateReturns == 1)
  }

  @Test func `an event that happens once is answered once`() async throws {
    let event = LifecycleEvent<Void, [String]>("roll call", once: true, reply: .merge { $0 + $1 })
    let center = try TaskCenter.with([
      .event(event, name: "one", replying: { _ in ["one"] }),
      .event(event, name: "other", replying: { _ in ["other"] }),
    ])
    #expect(await center.send(event).reply(to: event) == ["one", "other"])
    let second = await center.send(event)
    #expect(second.status == .alreadyHappened)
    #expect(second.reply(to: event) == nil)
  }

  @Test func `an output in an event without a reply is no reply`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "source", returning: { _ in 1 })])
    #expect(await center.send(.alpha).reply == nil)
  }

  @Test func `the reply to another event is none`() async throws {
    let event = LifecycleEvent<Void, Bool>("question", reply: .any)
    let center = try TaskCenter.with([.event(event, name: "yes", replying: { _ in true })])
    let report = await center.send(event)
    #expect(report.reply(to: LifecycleEvent<Void, Bool>("other", reply: .any)) == nil)
  }

  @Test func `a URL is opened when one task says so`() async throws {
    let center = try TaskCenter.with([
      .event(.openURL, name: "web", replying: { context in context.payload.url.scheme == "https" }),
      .event(.openURL, name: "mail", replying: { context in context.payload.url.scheme == "mailto" }),
    ])
    for (address, isOpened) in [("https://example.org", true), ("mailto:x@example.org", true), ("tel:1", false)] {
      let url = try #require(URL(string: address))
      #expect(await center.send(.openURL, OpenURLRequest(url)).reply(to: .openURL) == isOpened)
    }
  }
}
