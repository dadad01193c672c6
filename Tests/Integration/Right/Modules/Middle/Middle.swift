public import Core

// This module has no task and does not know TaskKit; what it depends on is collected all the same.
public typealias Storage = OpenStorage
