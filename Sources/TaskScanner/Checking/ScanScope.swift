/// What is being built, and how much of what it may see has been scanned.
struct ScanScope {
  /// The module that is being built. What is wrong inside another module has been said there.
  let target: String
  /// The names of all scanned modules.
  let scanned: Set<String>
  /// Whether all modules that the target depends on are scanned. If not, what is not found may be there.
  let isComplete: Bool

  /// Whether a type is one of the module that is being built.
  func builds(_ type: ScannedTask) -> Bool { type.module == target }

  /// Whether all that a type can name is scanned.
  func seesEverything(from type: ScannedTask) -> Bool { isComplete && !type.mayImport(besides: scanned) }
}
