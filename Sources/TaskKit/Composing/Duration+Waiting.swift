extension Duration {
  /// The same as a time to wait: nothing if it is negative, and not more than every clock can count, which is more than a
  /// century.
  var asWait: Duration { Swift.min(Swift.max(self, .zero), .nanoseconds(Int64.max / 2)) }
}
