import TaskKit

enum Expected {
  // error: nobody says this
  static let first = 1
  static let second = nothing
}

let wrongSeverity = nothing  // warning: cannot find

#warning("nobody expects this")
let right: Int = missing  // error: cannot find 'missing' in scope
