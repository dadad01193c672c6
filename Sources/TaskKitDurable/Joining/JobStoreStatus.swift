/// How a store of a center stands, in this process.
public struct JobStoreStatus: Sendable, Hashable, CustomStringConvertible {
  /// Its name in the center.
  public let name: String
  /// False before it is first needed, while it is being opened, and as long as it cannot be.
  public let isOpen: Bool
  /// Why it could not be opened or used the last time, with its place and what to do; nil where that has worked since. Where it
  /// goes on without jobs that lie on damaged pages of its file, which those are.
  public let problem: String?

  public init(name: String, isOpen: Bool, problem: String?) {
    self.name = name
    self.isOpen = isOpen
    self.problem = problem
  }

  /// For people.
  public var description: String {
    "store '\(name)' is \(isOpen ? "open" : "not open")" + (problem.map { ": \($0)" } ?? "")
  }
}
