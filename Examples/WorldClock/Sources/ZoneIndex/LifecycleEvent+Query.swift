import TaskKit

extension LifecycleEvent<Query, Answer> {
  /// Someone asks for a zone, a city or a country. Several tasks answer; the first that found something wins.
  public nonisolated static var query: Self { .init("query", reply: .merge(Answer.merge)) }
}
