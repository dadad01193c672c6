/// One use of a center.
struct GrowthCase: Sendable {
  let run: @Sendable (inout GrowthRun) async throws -> Void
}
