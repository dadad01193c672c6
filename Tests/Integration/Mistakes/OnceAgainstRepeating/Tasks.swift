import TaskKit

extension LifecycleEvent<Int, Void> {
  nonisolated static var counted: Self { .init("counted") }  // note: the other event 'counted' is declared here
  // error: event 'counted' happens once in one place and repeatedly in another; declare it in one place
  nonisolated static var countedOnce: Self { .init("counted", once: true) }
  nonisolated static var weighed: Self { .init("weighed", burst: .coalesce) }  // note: the other event 'weighed' is declared here
  // Nothing runs at it: what a sender says of a burst holds for the sending alone.
  nonisolated static var weighedIfIdle: Self { .init("weighed", burst: .drop) }
}

@EventTask(event: .counted)
enum Count {
  static func run(_ number: Int) {}
}

@EventTask(event: .countedOnce)
enum CountOnce {
  static func run(_ number: Int) {}
}

@EventTask(event: .weighed)
enum Weigh {
  static func run(_ weight: Int) {}
}

// error: event 'weighed' does 'coalesce' with a burst in one place and 'queue' in another; say the same in both
@EventTask(event: LifecycleEvent<Int, Void>("weighed"))
enum WeighAgain {
  static func run(_ weight: Int) {}
}

// error: event 'didFinishLaunching' happens repeatedly here and once in TaskKit; write '.didFinishLaunching'
@EventTask(event: LifecycleEvent<LaunchOptions, Void>("didFinishLaunching"))
enum Launch {
  static func run() {}
}

extension LifecycleEvent<Void, Void> {
  // error: 'once: true' and 'burst: .drop' of event 'late' contradict each other; remove one of them
  nonisolated static var late: Self { .init("late", once: true, burst: .drop) }
}

@EventTask(event: .late)
enum BeLate {
  static func run() {}
}
