/// What is sure of each build that has a declaration.
package struct BranchFacts: Sendable, Hashable {
  /// By question, as an `#if` or a condition: the answer. No build has two answers to one.
  package var answers: [String: Int]
  /// By question to which a build has one of many answers, as which system it is for: those that are possible. Each of
  /// them is a question of its own, too, with 1 for yes and 0 for no.
  package var choices: [String: Set<String>]

  package init(answers: [String: Int] = [:], choices: [String: Set<String>] = [:]) {
    self.answers = answers
    self.choices = choices
  }

  /// True if no build has both.
  package func exclude(_ other: Self) -> Bool {
    if answers.isEmpty || other.answers.isEmpty { return false }
    return answers.contains { question, answer in other.answers[question].map { $0 != answer } ?? false }
      || leavesNoChoice(beside: other) || other.leavesNoChoice(beside: self)
  }

  private func leavesNoChoice(beside other: Self) -> Bool {
    choices.contains { question, choices in
      !choices.contains { mayBe($0, of: question) && other.mayBe($0, of: question) }
    }
  }

  private func mayBe(_ choice: String, of question: String) -> Bool {
    answers[choice] != 0 && choices[question]?.contains(choice) ?? true
  }

  /// Whether no build has it, as what stands under two systems at once.
  package var isImpossible: Bool { impossible != nil }

  /// The first question to which no answer is possible.
  var impossible: String? {
    choices.keys.sorted().first { question in
      !choices[question, default: []].contains { mayBe($0, of: question) }
    }
  }

  /// What is sure of each build that has another declaration as well.
  package mutating func add(_ other: Self) {
    answers.merge(other.answers) { first, _ in first }
    choices.merge(other.choices) { $0.intersection($1) }
  }

  package func adding(_ other: Self) -> Self {
    var facts = self
    facts.add(other)
    return facts
  }
}
