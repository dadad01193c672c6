/// Returns when something is so of which nobody tells; or when the time of the test is over, so that the test can say what is
/// not. However long that takes: how often a test is asked says nothing of how often others had a thread.
func waitUntil(_ isSo: () -> Bool) async {
  while !isSo(), !Task.isCancelled { await Task.yield() }
}
