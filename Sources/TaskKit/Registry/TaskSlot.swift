/// For generated code only: the number that the build gave a task, in this module or in one of its imports.
public struct TaskSlot: Sendable, Hashable, ExpressibleByIntegerLiteral {
  let module: Int32
  let index: Int32

  /// A task of the module itself.
  public init(_ index: Int32) {
    self.init(index, module: -1)
  }

  /// A task of the imported module at that place of the list of imports.
  public init(_ index: Int32, module: Int32) {
    self.module = module
    self.index = index
  }

  public init(integerLiteral index: Int32) {
    self.init(index)
  }
}
