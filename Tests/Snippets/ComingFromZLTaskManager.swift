enum Server {
  static func send(_ path: String, isLastChance: Bool) async throws {}
}
