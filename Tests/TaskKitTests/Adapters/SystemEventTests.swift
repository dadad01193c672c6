import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// The values that the adapters send, on every platform.
@Suite struct SystemEventTests {
  private let dictionary: [AnyHashable: Any] = [
    "text": "a", "true": true, "one": 1, "half": 0.5, "data": Data([1]), "date": Date(timeIntervalSince1970: 0),
    "url": URL(string: "app:a")!, "list": [1, "b"] as [Any], "inner": ["k": false] as [AnyHashable: Any],
    "null": NSNull(), 7: "seven", "own": Broken(),
  ]

  @Test func `a dictionary of the system becomes a value that may be sent, and nothing is left out silently`() {
    #expect(
      PropertyValue.dictionary(dictionary) == [
        "text": .string("a"), "true": .bool(true), "one": .integer(1), "half": .double(0.5), "data": .data(Data([1])),
        "date": .date(Date(timeIntervalSince1970: 0)), "url": .url(URL(string: "app:a")!),
        "list": .array([.integer(1), .string("b")]), "inner": .dictionary(["k": .bool(false)]), "null": .null,
        "7": .string("seven"), "own": .other("Broken"),
      ])
  }

  @Test func `a number is what it was made of, whoever has made it`() {
    let large = PropertyValue.double(Double(UInt64.max))
    let ofFoundation: [(Any, PropertyValue)] = [
      (NSNumber(value: true), .bool(true)), (NSNumber(value: false), .bool(false)),
      (NSNumber(value: 1 as Int), .integer(1)), (NSNumber(value: 0 as Int), .integer(0)),
      (NSNumber(value: 1 as Double), .double(1)), (NSNumber(value: 2 as Float), .double(2)),
      (NSNumber(value: UInt64.max), large),
    ]
    let ofSwift: [(Any, PropertyValue)] = [
      (true, .bool(true)), (1 as Int, .integer(1)), (1 as Double, .double(1)), (5 as Int64, .integer(5)),
      (1 as UInt8, .integer(1)), (UInt64.max, large), (0.5 as Float, .double(0.5)),
    ]
    for (number, value) in ofFoundation + ofSwift {
      #expect(PropertyValue(number) == value, "\(type(of: number)) \(number)")
    }
  }

  @Test func `a value is read by key, and as the system has it`() {
    let value = PropertyValue.dictionary(["aps": .dictionary(["badge": .integer(3), "alert": .string("hello")])])
    #expect(value["aps"]?["badge"]?.integer == 3)
    #expect(value["aps"]?["alert"]?.string == "hello")
    #expect(value["aps"]?["badge"]?.string == nil && value["other"] == nil && PropertyValue.null["a"] == nil)
    #expect(PropertyValue(value.plainValue as Any) == value)
    #expect(PropertyValue.array([.null, .bool(true), .other("X")]).plainValue as? [Bool] == [true])
  }

  @Test(
    .timeLimit(.minutes(15)),
    arguments: ["NSSystemClockDidChangeNotification", "NSSystemTimeZoneDidChangeNotification"])
  func `schedules hear at once of a clock that was set, whether a task asks for that or not`(name: String) async throws
  {
    let table = Timetable()
    try table.center.inject(table.task(.init(daily: "12:00", timeZone: .utc)))
    table.center.start()
    await table.pass(.zero)
    let events = table.center.events.makeAsyncIterator()
    let posts = NotificationCenter()
    let subscriptions = NotificationSubscriptions([], from: posts, to: table.center)
    table.time.setWall(to: table.time.wall.addingTimeInterval(3600))
    posts.post(name: Notification.Name(name), object: nil)
    #expect(await events.words(until: "clockChanged by 3600.0 seconds") == ["clockChanged by 3600.0 seconds"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `the state of a program with scenes says nothing of its launch`() {
    let scenes: [String: Any] = ["UIApplicationSceneManifest": ["UIApplicationSupportsMultipleScenes": false]]
    #expect(LaunchOptions.Reason(isInBackground: true, properties: [:]) == .background)
    #expect(LaunchOptions.Reason(isInBackground: false, properties: [:]) == .normal)
    #expect(LaunchOptions.Reason(isInBackground: true, properties: scenes) == .normal)
    #expect(LaunchOptions.Reason(isInBackground: false, properties: scenes) == .normal)
  }

  @Test func `the ways up that a property list declares are every one where it declares none`() {
    func declared(_ names: [String]?) -> InterfaceOrientations {
      InterfaceOrientations(declaredIn: names.map { ["UISupportedInterfaceOrientations": $0] } ?? [:])
    }
    #expect(
      declared(["UIInterfaceOrientationPortrait", "UIInterfaceOrientationLandscapeLeft"]) == [
        .portrait, .landscapeLeft,
      ])
    #expect(
      declared(["UIInterfaceOrientationPortraitUpsideDown", "UIInterfaceOrientationLandscapeRight", "Other"]) == [
        .portraitUpsideDown, .landscapeRight,
      ])
    #expect(declared([]) == .all && declared(["Other"]) == .all && declared(nil) == .all)
  }

  @Test func `a center says whether a task runs at an event`() throws {
    let center = TaskCenter()
    #expect(!center.isSubscribed(to: .didBecomeActive))
    try center.inject(.event(.didBecomeActive, name: "task", runs: .once) { _ in })
    #expect(center.isSubscribed(to: .didBecomeActive))
    #expect(!center.isSubscribed(to: .willResignActive))
    try center.pause("task")
    #expect(center.isSubscribed(to: .didBecomeActive))
    try center.destroy("task")
    #expect(!center.isSubscribed(to: .didBecomeActive))
  }

  @Test func `an event whose only task has run once is no longer subscribed`() async throws {
    let center = try TaskCenter.with([.event(.didBecomeActive, name: "task", runs: .once) { _ in }])
    await center.send(.didBecomeActive)
    #expect(!center.isSubscribed(to: .didBecomeActive))
  }
}
