import TaskKit
import ZoneData
import ZoneIndex

/// What became of several queries.
struct Answers: Sendable {
  var clocks: [Clock] = []
  /// What was not found or is broken, for people.
  var failures: [String] = []
  /// One for each query.
  var reports: [EventReport] = []
}

extension TaskCenter {
  /// Asks for zones, cities and countries, one after the other.
  func answers(to queries: [String], at instant: Int64) async -> Answers {
    var answers = Answers()
    for text in queries {
      let report = await send(.query, Query(text, at: instant))
      let answer = report.reply(to: .query) ?? Answer()
      answers.clocks += answer.clocks
      for problem in answer.problems {
        answers.failures.append("\(problem)")
        self[Notices.self]?.remove("\(problem)")
      }
      if !answer.isConclusive { answers.failures.append(Answers.notFound(text, answer.suggestions)) }
      answers.reports.append(report)
    }
    return answers
  }
}

extension Answers {
  fileprivate static func notFound(_ text: String, _ suggestions: [String]) -> String {
    let question = suggestions.isEmpty ? "" : "; did you mean \(suggestions.map { "'\($0)'" }.joined(separator: ", "))?"
    return "there is no zone, city or country '\(text)'\(question)"
  }
}
