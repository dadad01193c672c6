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
  ]
}
