import Testing

@Suite struct DependencyTests {
  @Test(arguments: dependencies)
  func `'dependencies:' is a list of types that the build can read`(picture: Picture) {
    picture.check()
  }

  static let dependencies = [
    Picture(
      "dependenciesAreNotLiteral",
      text: """
        @EventTask(event: .idle, dependencies: common)
                                               ^~~~~~
                                               | error: 'dependencies:' is not an array literal, which the
                                               |   build needs to read it; write '[First.self, Second.self]'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "dependenciesAreNotLiteral",
      text: """
        @EventTask(event: .idle, dependencies: [Load.self] + common)
                                               ^~~~~~~~~~~~~~~~~~~~
                                               | error: 'dependencies:' is not an array literal, which the
                                               |   build needs to read it; write '[First.self, Second.self]'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "dependencyIsNotType", "dependencyIsNotType", "dependencyIsNotType", "dependencyIsNotType",
      text: """
        @EventTask(event: .idle, dependencies: [Load, "Load", load(), Store<Int>.self])
                                                ^~~~
                                                | error: 'Load' does not tell the build which task it is;
                                                |   write 'Type.self'
                                                | fix-it: add '.self'
                                                      ^~~~~~
                                                      | error: "Load" is a name, and a dependency is a type;
                                                      |   write 'Type.self', or use 'after:'
                                                              ^~~~~~
                                                              | error: 'load()' does not tell the build
                                                              |   which task it is; write 'Type.self'
                                                                      ^~~~~~~~~~~~~~~
                                                                      | error: 'Store<Int>.self' does not tell
                                                                      |   the build which task it is; write
                                                                      |   'Type.self'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(event: .idle, dependencies: [Load.self, "Load", load(), Store<Int>.self])
        enum Refresh { static func run() {} }
        """),
    Picture(
      "duplicateDependency",
      text: """
        @EventTask(event: .idle, dependencies: [Load.self, Open.self, Load.self])
                                                                      ^~~~~~~~~
                                                                      | error: dependency 'Load' is listed
                                                                      |   twice; remove one of them
                                                                      | fix-it: remove the second 'Load'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(event: .idle, dependencies: [Load.self, Open.self])
        enum Refresh { static func run() {} }
        """),
    Picture(
      "dependsOnItself",
      text: """
        enum Feed {
          @EventTask(event: .idle, dependencies: [Refresh.self])
                                                  ^~~~~~~~~~~~
                                                  | error: a task cannot wait for itself; remove
                                                  |   'Refresh.self'
                                                  | fix-it: remove 'Refresh.self'
          enum Refresh { static func run() {} }
        }
        """,
      repaired:
        """
        enum Feed {
          @EventTask(event: .idle, dependencies: [])
          enum Refresh { static func run() {} }
        }
        """),
    // A path may lead to another type of the same name, in this module or in another one.
    Picture(
      text: """
        enum Feed {
          @EventTask(event: .idle, dependencies: [Feed.Refresh.self, Mail::Refresh.self, News::Refresh.self])
          enum Refresh { static func run() {} }
        }
        """),
    // The macro copies the annotation into the type, where these names mean something else.
    Picture(
      "selfInAnnotation", "selfInAnnotation",
      text: """
        extension Feed.Page {
          @EventTask(event: .idle, dependencies: [Self.Load.self], lane: Self.lane)
                                                  ^~~~
                                                  | error: 'Self' means 'Refresh' where the macro puts it,
                                                  |   but not here; write 'Feed.Page'
                                                  | fix-it: replace 'Self' with 'Feed.Page'
                                                                         ^~~~
                                                                         | error: 'Self' means 'Refresh' where
                                                                         |   the macro puts it, but not here;
                                                                         |   write 'Feed.Page'
                                                                         | fix-it: replace 'Self' with
                                                                         |   'Feed.Page'
          enum Refresh { static func run() {} }
        }
        """,
      repaired:
        """
        extension Feed.Page {
          @EventTask(event: .idle, dependencies: [Feed.Page.Load.self], lane: Self.lane)
          enum Refresh { static func run() {} }
        }
        """,
      """
      extension Feed.Page {
        @EventTask(event: .idle, dependencies: [Self.Load.self], lane: Feed.Page.lane)
        enum Refresh { static func run() {} }
      }
      """),
    Picture(
      "selfInAnnotation",
      text: """
        extension `default`.Page {
          @EventTask(event: .idle, lane: Self.lane)
                                         ^~~~
                                         | error: 'Self' means 'Refresh' where the macro puts it, but not
                                         |   here; write '`default`.Page'
                                         | fix-it: replace 'Self' with '`default`.Page'
          enum Refresh { static func run() {} }
        }
        """,
      repaired:
        """
        extension `default`.Page {
          @EventTask(event: .idle, lane: `default`.Page.lane)
          enum Refresh { static func run() {} }
        }
        """),
    Picture(
      "memberOfItself", "memberOfItself",
      text: """
        @EventTask(event: .idle, dependencies: [Load.self], timeout: limit)
                                                ^~~~
                                                | error: 'Load' is a member of 'Refresh', and means that one
                                                |   where the macro puts it, but not here; write what is
                                                |   around the one that you mean in front, as in 'App.Load',
                                                |   or give the member another name
                                                                     ^~~~~
                                                                     | error: 'limit' is a member of
                                                                     |   'Refresh', and means that one where
                                                                     |   the macro puts it, but not here;
                                                                     |   write what is around the one that
                                                                     |   you mean in front, as in
                                                                     |   'App.limit', or give the member
                                                                     |   another name
        enum Refresh {
          enum Load {}
               ^~~~
               | note: the member is declared here
          static let limit = Duration.seconds(5)
                     ^~~~~
                     | note: the member is declared here
          static func run() {}
        }
        """),
    Picture(
      text: """
        @EventTask(
          event: .idle, dependencies: [App.Load.self, Mail::Load.self], timeout: .limit,
          retry: .when(\\.limit, { limit in limit > 1 }))
        enum Refresh {
          enum Load {}
          static let limit = Duration.seconds(5)
          static func run() {}
        }
        """),
  ]
}
