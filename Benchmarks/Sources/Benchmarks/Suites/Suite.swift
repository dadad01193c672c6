import Measuring

/// A question, and how it is measured.
struct Suite: Sendable {
  let name: String
  let run: @Sendable (Options) async -> Section

  static let all: [Suite] = [
    Suite(name: "checks", run: checks),
    Suite(name: "sync", run: synchronous),
    Suite(name: "tiny", run: tiny),
    Suite(name: "parallel", run: parallel),
    Suite(name: "async", run: asynchronous),
    Suite(name: "yield", run: yielding),
    Suite(name: "injected", run: injected),
    Suite(name: "planning", run: planning),
    Suite(name: "linear", run: linear),
    Suite(name: "growth", run: growth),
    Suite(name: "memory", run: memory),
    Suite(name: "timers", run: timers),
    Suite(name: "month", run: month),
  ]

  static let names = Set(all.map(\.name))
}
