import Testing

@Suite struct ModuleProblemTests {
  @Test(arguments: modules)
  func `a type that cannot be a module is an error`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: marks)
  func `a mark that nobody would read, or on a method that does not fit, is an error`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: predecessors)
  func `a method's own name in 'after:' is an error, and that of its module is none`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: needs)
  func `needs: names marked methods of the module`(picture: Picture) {
    picture.check()
  }

  static let modules = [
    Picture(
      "moduleIsNotAnObject",
      text: """
        @TaskModule struct Ads {
        ^~~~~~~~~~~
        | error: 'Ads' is a struct, and a module has one instance that its methods share; make it a class or
        |   an actor
        }
        """),
    Picture(
      "typeOfOwnName",
      text: """
        @TaskModule actor Ads {
          struct Ads {}
                 ^~~
                 | error: 'Ads' means this type in what '@TaskModule' adds to the one around it; give one of
                 |   them another name
          var ads = 1
        }
        """),
    Picture(
      "distributedActor",
      text: """
        @TaskModule distributed actor Ads {
                    ^~~~~~~~~~~
                    | error: 'Ads' is a distributed actor, whose instances only an actor system makes;
                    |   remove 'distributed', or let another type call one
                    | fix-it: remove 'distributed'
          @ModuleTask(event: .idle) func load() {}
        }
        """,
      repaired:
        """
        @TaskModule actor Ads {
          @ModuleTask(event: .idle) func load() {}
        }
        """),
    Picture(
      "creationIsNotMember",
      text: """
        @TaskModule(creation: later)
                              ^~~~~
                              | error: 'later' does not tell the build when the module is created; write
                              |   '.whenNeeded', '.atLaunch' or '.byRegistering'
        actor Ads {}
        """),
    Picture(
      "noModuleInitialiser",
      text: """
        @TaskModule
        actor Ads {
              ^~~
              | error: the center cannot create 'Ads', which has no 'init' that takes nothing; add one, or
              |   write 'creation: .byRegistering' and register an instance
          init(port: Int) {}
          init?() {}
        }
        """),
    Picture(
      "noModuleInitialiser",
      text: """
        @TaskModule(dependencies: [Settings.self])
        actor Ads {
              ^~~
              | error: the center cannot create 'Ads', which has no 'init' that takes only modules out of
              |   'dependencies:', or nothing; add one, or write 'creation: .byRegistering' and register an
              |   instance
          init(settings: Settings, port: Int) {}
        }
        """),
    Picture(
      "privateType", "reservedName",
      text: """
        @TaskModule
        private actor Ads {
        ^~~~~~~
        | error: 'Ads' is private, so the registry in another file cannot see it; make it internal
        | fix-it: remove 'private'
          static func _moduleTask() {}
                      ^~~~~~~~~~~
                      | error: '_moduleTask' is a member that '@TaskModule' adds to 'Ads'; give yours
                      |   another name
        }
        """,
      repaired: """
        @TaskModule
        actor Ads {
          static func _moduleTask() {}
        }
        """),
    Picture(
      "genericType",
      text: """
        @TaskModule
        actor Ads<Content> {}
                 ^~~~~~~~~
                 | error: 'Ads' is generic, and a task is one type; remove the generic parameters
                 | fix-it: remove '<Content>'
        """,
      repaired: """
        @TaskModule
        actor Ads {}
        """),
    Picture(
      "nameIsNotLiteral",
      text: """
        @TaskModule(name: prefix)
                          ^~~~~~
                          | error: 'name:' is not a plain string literal, which the build needs to read it;
                          |   write the name between quotes
        actor Ads {}
        """),
  ]

  static let marks = [
    Picture(
      "markIsNotOnMethod",
      text: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle)
          ^~~~~~~~~~~~~~~~~~~~~~~~~
          | error: '@ModuleTask' marks a method of a module, and this is none; move it to a method of a
          |   '@TaskModule'
          | fix-it: remove '@ModuleTask'
          enum Inner {}
        }
        """,
      repaired: """
        @TaskModule
        actor Ads {
          enum Inner {}
        }
        """),
    Picture(
      "markInExtension",
      text: """
        extension Ads {
          @ModuleTask(event: .idle) func pause() {}
          ^~~~~~~~~~~~~~~~~~~~~~~~~
          | error: '@TaskModule' does not see a method in an extension of 'Ads'; move it to the type's own
          |   body
        }
        """),
    Picture(
      "markOutsideModule",
      text: """
        final class Ads {
          @ModuleTask(event: .idle) func pause() {}
          ^~~~~~~~~~~~~~~~~~~~~~~~~
          | error: 'Ads' is not a module, so nobody would call the method; annotate 'Ads' with '@TaskModule'
        }
        """),
    Picture(
      "methodIsStatic",
      text: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle) static func pause() {}
                                    ^~~~~~
                                    | error: 'pause' is static, and a module's tasks are methods of its
                                    |   instance; remove 'static'
                                    | fix-it: remove 'static'
        }
        """,
      repaired: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle) func pause() {}
        }
        """),
    Picture(
      "methodOfSameName", "conditionalMethod",
      text: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle) func pause() {}
                                         ^~~~~
                                         | note: the other one is here
          @ModuleTask(event: .openURL) func pause(_ request: OpenURLRequest) {}
                                            ^~~~~
                                            | error: two tasks of the module would be called 'pause'; give
                                            |   one of the methods another name
          #if DEBUG
          @ModuleTask(event: .idle) func trace() {}
                                         ^~~~~
                                         | error: 'trace' inside '#if' cannot be seen; declare it outside,
                                         |   with the '#if' in its body
          #endif
        }
        """),
    Picture(
      "secondMark", "conditionalMark",
      text: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle)
          ^~~~~~~~~~~~~~~~~~~~~~~~~
          | note: the first one is here
          @ModuleTask(event: .openURL)
          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
          | error: 'pause' is one task, and has two '@ModuleTask'; list all events behind 'events:' of one
          |   of them
          | fix-it: remove this '@ModuleTask'
          func pause() {}
          #if DEBUG
          @ModuleTask(event: .idle)
          ^~~~~~~~~~~~~~~~~~~~~~~~~
          | error: '@ModuleTask' inside '#if' cannot be seen; write it outside, with the '#if' in the
          |   method's body
          #endif
          func trace() {}
        }
        """,
      repaired: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle)
          func pause() {}
          #if DEBUG
          @ModuleTask(event: .idle)
          #endif
          func trace() {}
        }
        """),
    Picture(
      text: """
        @TaskModule
        actor Ads {
          #if false
          @ModuleTask(event: .idle) func old() {}
          #endif
          #if true
          #else
          @ModuleTask(event: .idle)
          #endif
          func trace() {}
        }
        """),
    Picture(
      text: """
        #if DEBUG
        @TaskModule
        #endif
        actor Ads {
          @ModuleTask(event: .idle) func pause() {}
        }
        """),
    Picture(
      "runTakesSeveralParameters", "noEvent",
      text: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle) func open(_ first: Int, _ second: Int) {}
                                              ^~~~~~~~~~~~~~~~~~~~~~~~~~~
                                              | error: 'open' has 2 parameters; it takes nothing, the
                                              |   event's payload or a 'TaskContext' of it
          @ModuleTask func pause() {}
           ^~~~~~~~~~
           | error: '@ModuleTask' names no event; add one, as in 'event: .didFinishLaunching'
        }
        """),
  ]

  static let predecessors = [
    Picture(
      "followsItself",
      text: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle, after: ["Ads", "Ads.load"]) func load() {}
                                                   ^~~~~~~~~~
                                                   | error: 'Ads.load' is this task, which cannot come after
                                                   |   itself; remove it
                                                   | fix-it: remove 'Ads.load'
        }
        """,
      repaired: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle, after: ["Ads"]) func load() {}
        }
        """),
    Picture(
      "followsItself",
      text: """
        @TaskModule(name: "ads")
        actor Ads {
          @ModuleTask(event: .idle, after: ["Ads.load", "ads.load"]) func load() {}
                                                        ^~~~~~~~~~
                                                        | error: 'ads.load' is this task, which cannot come
                                                        |   after itself; remove it
                                                        | fix-it: remove 'ads.load'
        }
        """,
      repaired: """
        @TaskModule(name: "ads")
        actor Ads {
          @ModuleTask(event: .idle, after: ["Ads.load"]) func load() {}
        }
        """),
    Picture(
      "followsItself",
      text: """
        @TaskModule
        actor Ads {
          @ModuleTask(name: "load", event: .idle, after: ["Ads.load", "load"]) func load() {}
                                                                      ^~~~~~
                                                                      | error: 'load' is this task, which
                                                                      |   cannot come after itself; remove it
                                                                      | fix-it: remove 'load'
        }
        """,
      repaired: """
        @TaskModule
        actor Ads {
          @ModuleTask(name: "load", event: .idle, after: ["Ads.load"]) func load() {}
        }
        """),
  ]

  static let needs = [
    Picture(
      "needsIsNotLiteral",
      text: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle, needs: all) func pause() {}
                                           ^~~
                                           | error: 'needs:' is not an array literal, which the build needs
                                           |   to read it; write '["first", "second"]'
        }
        """),
    Picture(
      "needsIsNotName", "needsItself", "needsUnknownMethod",
      text: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle, needs: [Load.self, "pause", "save"]) func pause() {}
                                            ^~~~~~~~~
                                            | error: 'Load.self' does not tell the build which method it is;
                                            |   write its name between quotes, or a type in 'dependencies:'
                                                       ^~~~~~~
                                                       | error: a task cannot wait for itself; remove
                                                       |   '"pause"'
                                                       | fix-it: remove '"pause"'
                                                                ^~~~~~
                                                                | error: 'save' is no marked method of this
                                                                |   module; it has 'pause'
        }
        """,
      repaired: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle, needs: [Load.self, "save"]) func pause() {}
        }
        """),
    Picture(
      "needsIsNotName",
      text: ##"""
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle, needs: [#"save"#]) func pause() {}
                                            ^~~~~~~~
                                            | error: '#"save"#' does not tell the build which method it is;
                                            |   write its name between quotes, or a type in 'dependencies:'
                                            | fix-it: write '"save"'
          @ModuleTask(event: .idle) func save() {}
        }
        """##,
      repaired: """
        @TaskModule
        actor Ads {
          @ModuleTask(event: .idle, needs: ["save"]) func pause() {}
          @ModuleTask(event: .idle) func save() {}
        }
        """),
  ]
}
