public import TaskKit

// The plugin is applied, but nothing is annotated yet.
public func coreTasks() -> TaskRegistry { .generated }
