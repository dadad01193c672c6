import CAllocator

/// How much memory the program holds: bytes that were allocated and not freed, as the allocator counts them.
///
/// Not what the system gave to the process, which changes in pages, and rarely shrinks.
enum Memory {
  static var allocated: Int { allocator_bytes_in_use() }

  /// What is made, and how many more bytes are held with it.
  static func cost<Made>(_ make: () -> Made) -> (made: Made, bytes: Int) {
    let before = allocated
    let made = make()
    return (made, allocated - before)
  }
}
