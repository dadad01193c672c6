// settings: .strictMemorySafety()
import TaskKit

@EventTask(event: .didBecomeActive)
enum Measure {
  static func run() -> Int {
    let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { unsafe pointer.deallocate() }
    unsafe pointer.initialize(to: 1)
    return unsafe pointer.pointee
  }
}
