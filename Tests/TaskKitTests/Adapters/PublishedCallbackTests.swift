#if !canImport(Darwin)
import Testing

@testable import TaskKit

/// The adapters against the lists of what Apple publishes.
@Suite struct PublishedCallbackTests {
  struct Delegate: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let published: [String: PublishedCallbacks.Treatment]
    let answered: DelegateCallbacks
    /// How many the headers have.
    let count: Int

    init(_ name: String, _ published: PublishedCallbacks.Table, _ answered: DelegateCallbacks, count: Int) {
      testDescription = name
      self.published = Dictionary(uniqueKeysWithValues: published.map { ($0.key, $0.value) })
      self.answered = answered
      self.count = count
    }
  }

  static let delegates = [
    Delegate("UIApplicationDelegate", PublishedCallbacks.application, UIKitCallbacks.application, count: 55),
    Delegate("UIWindowSceneDelegate", PublishedCallbacks.scene, UIKitCallbacks.scene, count: 21),
    Delegate("NSApplicationDelegate", PublishedCallbacks.applicationOfAppKit, AppKitCallbacks.application, count: 45),
    Delegate(
      "UNUserNotificationCenterDelegate", PublishedCallbacks.notifications, UserNotificationsCallbacks.center, count: 3),
  ]

  @Test(arguments: delegates)
  func `each callback that a header publishes is the events that it should be, or nobody's by intention`(
    _ delegate: Delegate
  ) {
    #expect(delegate.published.count == delegate.count)
    let answered = Dictionary(uniqueKeysWithValues: delegate.answered.all.map { ($0.selector, $0.events) })
    for (selector, treatment) in delegate.published {
      if case .event(let events) = treatment {
        #expect(answered[selector]?.sorted() == events.sorted(), "\(selector)")
      } else {
        #expect(answered[selector] == nil, "\(selector)")
      }
    }
    #expect(Set(answered.keys).subtracting(delegate.published.keys) == [], "what no header publishes")
  }

  @Test(arguments: delegates)
  func `a callback in an old form has a newer one that is an event`(_ delegate: Delegate) {
    let events = Self.delegates.flatMap { other in other.answered.all.map(\.selector) }
    for case (let selector, .replaced(let newer)) in delegate.published {
      #expect(newer != selector && events.contains(newer), "\(selector)")
    }
  }
}
#endif
