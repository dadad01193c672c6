import TaskKit

/// Whether the output goes to a terminal, as the program found out; part of the `LaunchOptions`.
public enum TerminalKey: SharedKey {
  public typealias Value = Bool
}
