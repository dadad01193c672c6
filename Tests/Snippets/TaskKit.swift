struct Configuration: Sendable {}
