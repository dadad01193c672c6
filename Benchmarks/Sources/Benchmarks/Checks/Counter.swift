import Synchronization

/// Counts from any thread, and somebody waits for the sum.
final class Counter: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .acquiring) }

  func increment() { value.add(1, ordering: .releasing) }

  /// Looks every few milliseconds: to be told would cost each of those who count more than the counting.
  func reaches(_ count: Int) async {
    while self.count < count {
      do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
    }
  }
}
