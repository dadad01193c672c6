import Foundation

@MainActor final class Player {
  static let shared = Player()
  func pause() {}
}

actor Downloads {
  static let shared = Downloads()
  func suspend() {}
}

@MainActor enum Articles {
  static func show(_ url: URL) -> Bool { true }
}

struct Ads: Sendable {
  func refresh() async throws {}
}
