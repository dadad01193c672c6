import Testing

@Suite struct SwitchTests {
  @Test(arguments: switches)
  func `an 'isEnabled' that cannot switch the task off is an error`(picture: Picture) {
    picture.check()
  }

  static let switches = [
    Picture(
      "isEnabledIsNotStatic",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          var isEnabled: Bool { true }
              ^~~~~~~~~
              | error: 'isEnabled' is not static, and it is read before there is an instance; add 'static'
              | fix-it: add 'static'
          static func run() {}
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static var isEnabled: Bool { true }
          static func run() {}
        }
        """),
    Picture(
      "isEnabledIsNotBool",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static let isEnabled: Bool? = nil
                     ^~~~~~~~~
                     | error: 'isEnabled' is what switches a task off; write 'static var isEnabled: Bool',
                     |   or use another name
          static func run() {}
        }
        """),
    Picture(
      "isEnabledIsNotBool",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static func isEnabled() -> Bool { true }
                      ^~~~~~~~~
                      | error: 'isEnabled' is what switches a task off; write 'static var isEnabled: Bool',
                      |   or use another name
          static func run() {}
        }
        """),
    Picture(
      "isEnabledHasEffects",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static var isEnabled: Bool { get async { true } }
                                           ^~~~~
                                           | error: 'isEnabled' is 'async', and it is read in passing;
                                           |   decide such things in 'run'
          static func run() {}
        }
        """),
    Picture(
      "conditionalIsEnabled", "conditionalIsEnabled",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          #if DEBUG
          static let isEnabled = false
                     ^~~~~~~~~
                     | error: 'isEnabled' inside '#if' cannot be seen; declare it outside, with the '#if' in
                     |   its body
          #else
          static let isEnabled = true
                     ^~~~~~~~~
                     | error: 'isEnabled' inside '#if' cannot be seen; declare it outside, with the '#if' in
                     |   its body
          #endif
          static func run() {}
        }
        """),
  ]
}
