import TaskKit

/// A module of which there is one type for each number: a center knows modules by their types.
final class NumberedModule<Number: Digits>: LifecycleModule, Sendable {
  nonisolated static var registration: ModuleRegistration {
    let location = TaskLocation("Benchmarks/NumberedModule.swift", 1, 1)
    return ModuleRegistration(
      __name: "module \(Number.value)", type: NumberedModule<Number>.self, collected: (), at: location,
      creation: .byRegistering,
      methods: [
        ModuleMethod(
          __method: "work", at: location,
          occasions: [TaskOccasion(LifecycleEvent<Void, Void>("usual"), __run: doNothing)])
      ])
  }
}

private func doNothing() {}

/// The binary digits of a number, the last one outermost.
protocol Digits {
  static var value: Int { get }
}

extension Digits {
  fileprivate static var withZero: any Digits.Type { Zero<Self>.self }
  fileprivate static var withOne: any Digits.Type { One<Self>.self }

  /// Registers the module of this number.
  static func register(in center: TaskCenter) throws { try center.register(NumberedModule<Self>()) }
}

private enum NoDigits: Digits {
  static var value: Int { 0 }
}

private enum Zero<Rest: Digits>: Digits {
  static var value: Int { 2 * Rest.value }
}

private enum One<Rest: Digits>: Digits {
  static var value: Int { 2 * Rest.value + 1 }
}

/// The type that stands for a number below 65,536.
func digits(of number: Int) -> any Digits.Type {
  var type: any Digits.Type = NoDigits.self
  for place in (0..<16).reversed() { type = number >> place & 1 == 0 ? type.withZero : type.withOne }
  return type
}
