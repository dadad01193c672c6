import TaskKit
import TaskKitTesting

extension CenterEvents.Iterator {
  /// What happens up to and including something.
  func words(until last: String) async -> [String] {
    var words: [String] = []
    while words.last != last, let event = await next() { words.append(event.words) }
    return words
  }
}
