enum News {
  static func fetch(_ feed: String) async throws -> Bool { false }
}
