public import Foundation

extension Notification.Name {
  public static let NSSystemClockDidChange = Notification.Name("NSSystemClockDidChangeNotification")
}
