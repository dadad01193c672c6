import TaskKit

let center = TaskCenter(registry: .generated)

protocol Playing {}

@EventTask(event: .willFinishLaunching)
enum LoadConfiguration {
  static func run() {}
}

@TaskModule
@MainActor final class Settings {}

@TaskModule(creation: .byRegistering)
@MainActor final class Player: Playing {
  nonisolated init(volume: Int) {}
}
