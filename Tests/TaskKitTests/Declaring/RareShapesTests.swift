import TaskKit
import Testing

@Suite struct RareShapesTests {
  @Test func `tasks of rare shapes run like any other`() async throws {
    let center = TaskCenter(registry: .generated)
    let report = await center.send(.rareShapes, 8)
    #expect(report.tasks.filter { !$0.outcome.isSuccess }.map(\.name) == [])
    #expect(report.tasks.count == 16)
    #expect(try await center.output(of: RareShapes.Twin.self) == 1)
    #expect(try await center.output(of: RareShapes.ClassTwin.self) == 2)
    #expect(try await center.output(of: RareShapes.ActorTwin.self) == 3)
    #expect(try await center.output(of: RareShapes.Hiding.self) == 4)
    #expect(try await center.output(of: RareShapes.`two words`.self) == 5)
    #expect(try await center.output(of: RareShapes.NeverThrowing.self) == 6)
    #expect(try await center.output(of: RareShapes.Throwing.self) == 7)
    #expect(try await center.output(of: RareShapes.Concurrent.self) == 8)
    #expect(try await center.output(of: RareShapes.Nonsending.self) == 8)
    #expect(try await center.output(of: RareShapes.Unwrapped.self) == 10)
    #expect(try await center.output(of: RareShapes.Naming.self) == 12)
  }
}
