import Core
import TaskKit

// error: notification 'PricesChanged' does 'coalesce' with a burst in one place and 'queue' in another; say the same in both
@NotificationTask("PricesChanged")
enum Show {
  static func run() {}
}

@NotificationTask("Weather", burst: .debounce(.seconds(1)))
enum Forecast {
  static func run() {}
}

// error: notification 'Weather' does 'debounce(.seconds(1))' with a burst in one place and 'drop' in another
@NotificationTask("Weather", burst: .drop)
enum Warn {
  static func run() {}
}
