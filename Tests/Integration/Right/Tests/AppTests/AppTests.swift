// plugin: none
import TaskKit
import Testing

@testable import App

@Test func `the registry of an executable can be tested`() throws {
  #expect(TaskRegistry.generated.count == 3)
  #expect(try TaskRegistry.generated.excluding(module: "Mail").count == 2)
}
