import Testing

@Suite struct ManyProblemsTests {
  @Test func `all problems of an annotation are reported at once`() {
    Self.picture.check(repairs: false)
  }

  static let picture = Picture(
    "emptyName", "dependsOnItself", "timeoutIsNotPositive", "attemptsBelowOne",
    "privateType", "classIsNotFinal", "genericType", "isEnabledIsNotStatic", "runTakesSeveralParameters",
    text: """
      @EventTask(
        name: "",
              ^~
              | error: 'name:' is empty; write a name, or leave it out to use the type's path
              | fix-it: remove 'name:'
        event: .idle,
        dependencies: [Refresh.self],
                       ^~~~~~~~~~~~
                       | error: a task cannot wait for itself; remove 'Refresh.self'
                       | fix-it: remove 'Refresh.self'
        timeout: .zero,
                 ^~~~~
                 | error: a timeout of '.zero' is over before the task starts; write a longer one
                 | fix-it: remove 'timeout:'
        retry: RetryPolicy(attempts: -1)
                                     ^~
                                     | error: a task is tried at least once, and 'attempts' is -1; write 1
                                     |   or more
                                     | fix-it: replace '-1' with '1'
      )
      private class Refresh<T> {
      ^~~~~~~
      | error: 'Refresh' is private, so the registry in another file cannot see it; make it internal
      | fix-it: remove 'private'
              ^~~~~
              | error: class 'Refresh' is not final, and a subclass would declare the same task again; add
              |   'final'
              | fix-it: add 'final'
                           ^~~
                           | error: 'Refresh' is generic, and a task is one type; remove the generic
                           |   parameters
                           | fix-it: remove '<T>'
        var isEnabled = true
            ^~~~~~~~~
            | error: 'isEnabled' is not static, and it is read before there is an instance; add 'static'
            | fix-it: add 'static'
        func run(x: Int, y: Int) {}
                 ^~~~~~~~~~~~~~
                 | error: 'run' has 2 parameters; it takes nothing, the event's payload or a 'TaskContext'
                 |   of it
      }
      """)
}
