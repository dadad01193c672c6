/// What the delegate of `UNUserNotificationCenter` is asked for, by the names of the published headers.
package enum UserNotificationsCallbacks {
  package static let center: DelegateCallbacks = [
    .init("userNotificationCenter:willPresentNotification:withCompletionHandler:", .willPresentNotification),
    .init(
      "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:", .didReceiveNotificationResponse),
    .init("userNotificationCenter:openSettingsForNotification:", .openNotificationSettings),
  ]
}
