import TaskKit

let center = TaskCenter(registry: .generated)

struct Settings: Sendable {}

enum Network {
  nonisolated static func isThere() async -> Bool { true }
}

enum Session {
  nonisolated static var changes: AsyncStream<Bool> { AsyncStream { $0.finish() } }
}

func showUpgradeNotice() async {}
func showAdvert() async {}
func loadSettings() async throws -> Settings { Settings() }
func download(_ page: Int) async throws -> String { "" }
func askForPermission(_ answer: @escaping @Sendable (Bool) -> Void) {}
func show(_ page: String) async {}
func show(_ fraction: Double) {}
