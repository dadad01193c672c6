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

@MainActor enum Splash {
  static func show() {}
}

actor Account {
  static let shared = Account()
  func refresh() async throws {}
}

@MainActor enum Badge {
  static func show(_ number: Int) {}
}

enum Progress {
  static func save() throws {}
}

enum Analytics {
  static func close() {}
}
