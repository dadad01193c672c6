import TaskKit

/// Decides about colour: on a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
@EventTask(priority: .high, event: .willFinishLaunching)
public enum ChooseStyle {
  public static func run(_ options: LaunchOptions) -> Style {
    let wantsNone = options.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return Style(isColored: options[TerminalKey.self] == true && !wantsNone && options.environment["TERM"] != "dumb")
  }
}
