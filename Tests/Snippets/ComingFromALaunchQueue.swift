import Foundation
import TaskKit

let center = TaskCenter(registry: .generated)

func load(from route: URL) async throws {}
func chooseRoute() async throws {}
func loadInitialData() async throws {}
func checkVersion() async throws {}
func showAdvert(whenClosed close: @escaping @Sendable () -> Void) {}
func open(_ page: String) async throws {}
