import Testing

@Suite struct ModuleDeclarationsTests {
  @Test(arguments: samples)
  func `a module gets one registration, a function that makes it, and one for each marked method`(sample: Sample) {
    sample.check()
  }

  static let samples = [
    Sample(
      "a class of the main actor that takes another module",
      """
      @TaskModule(dependencies: [Settings.self, Core.Journal.self])
      @MainActor public final class Ads {
        public init(settings: Settings, _ journal: Core.Journal?, limit: Int = 3) throws {}
        init() {}

        @ModuleTask(priority: .high, event: .didFinishLaunching, dependencies: [Open.self], timeout: .seconds(5))
        func load() async throws -> Int { 1 }

        @ModuleTask(name: "stop", events: .didEnterBackground, .willTerminate, needs: ["load"], after: ["Other"])
        nonisolated func `default`() {}

        func unmarked() {}
      }
      """,
      expandsTo: """
        @MainActor public final class Ads {
          public init(settings: Settings, _ journal: Core.Journal?, limit: Int = 3) throws {}
          init() {}
          func load() async throws -> Int { 1 }
          nonisolated func `default`() {}

          func unmarked() {}

          public nonisolated static var registration: TaskKit::ModuleRegistration {
            TaskKit::ModuleRegistration(
              __name: "App.Ads", type: Ads.self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              dependencies: [
                TaskKit::ModuleDependency(__type: Settings.self, "Settings"),
                TaskKit::ModuleDependency(__type: Core.Journal.self, "Core.Journal")],
              make: _makeModule,
              methods: [
                TaskKit::ModuleMethod(__method: "load", at: TaskKit::TaskLocation("App/Tasks.swift", 6, 3), occasions: \
        [TaskKit::TaskOccasion(.didFinishLaunching, __outputWithContext: _moduleTask(load:))], priority: .high, \
        dependencies: [TaskKit::TaskDependency(__type: Open.self, "Open")], timeout: .seconds(5)),
                TaskKit::ModuleMethod(__method: "default", name: "stop", at: TaskKit::TaskLocation("App/Tasks.swift", 9, 3), \
        occasions: [TaskKit::TaskOccasion(.didEnterBackground, __runWithContext: _moduleTask(default:)), \
        TaskKit::TaskOccasion(.willTerminate, __runWithContext: _moduleTask(default:))], needs: ["load"], after: ["Other"])])
          }

          static func _makeModule(_ modules: TaskKit::ModuleDependencies) throws -> Ads {
            return try Ads(settings: modules.__module(Settings.self), modules.__optionalModule(Core.Journal.self))
          }

          static func _moduleTask<_Payload>(load context: TaskKit::TaskContext<_Payload>) async throws -> Int {
            return try await context.__module(Ads.self).load()
          }

          nonisolated static func _moduleTask<_Payload>(default context: TaskKit::TaskContext<_Payload>) throws {
            return try context.__module(Ads.self).`default`()
          }
        }

        extension Ads: nonisolated TaskKit::__LifecycleModule {}
        """),
    Sample(
      "an actor that somebody registers, with a payload and a context",
      """
      extension Feature {
        @available(macOS 16, *)
        @TaskModule(name: "Shop", creation: .byRegistering)
        actor Basket {
          init(id: Int) {}
          @ModuleTask(event: .orderPlaced) func add(_ order: Order) throws(Full) -> Bool { true }
          @ModuleTask(event: .orderPlaced) @Billing func bill(_ context: TaskContext<Order>) {}
        }
      }
      """,
      expandsTo: """
        extension Feature {
          @available(macOS 16, *)
          actor Basket {
            init(id: Int) {}
            func add(_ order: Order) throws(Full) -> Bool { true }
            @Billing func bill(_ context: TaskContext<Order>) {}

            nonisolated static var registration: TaskKit::ModuleRegistration {
              TaskKit::ModuleRegistration(
                __name: "Shop", type: Basket.self, collected: _isCollected,
                at: TaskKit::TaskLocation("App/Tasks.swift", 3, 3),
                creation: .byRegistering,
                methods: [
                  TaskKit::ModuleMethod(__method: "add", at: TaskKit::TaskLocation("App/Tasks.swift", 6, 5), occasions: \
        [TaskKit::TaskOccasion(.orderPlaced, __outputWithContext: _moduleTask(add:))]),
                  TaskKit::ModuleMethod(__method: "bill", at: TaskKit::TaskLocation("App/Tasks.swift", 7, 5), occasions: \
        [TaskKit::TaskOccasion(.orderPlaced, __runWithContext: _moduleTask(bill:))])])
            }

            static func _moduleTask(add context: TaskKit::TaskContext<Order>) async throws -> Bool {
              return try await context.__module(Basket.self).add(context.payload)
            }

            @Billing static func _moduleTask(bill context: TaskContext<Order>) throws {
              return try context.__module(Basket.self).bill(context)
            }
          }
        }

        @available(macOS 16, *)
        extension Feature.Basket: nonisolated TaskKit::__LifecycleModule {}
        """),
    Sample(
      "a method may have any name",
      """
      @TaskModule(creation: .byRegistering)
      actor Names {
        @ModuleTask(event: .noted) func context(_ note: Note) {}
        @ModuleTask(event: .noted) func `let`(_ note: Note) {}
        @ModuleTask(event: .noted) func `inout`(_ note: Note) {}
        @ModuleTask(event: .noted) func `1st one`(_ note: Note) {}
      }
      """,
      expandsTo: """
        actor Names {
          func context(_ note: Note) {}
          func `let`(_ note: Note) {}
          func `inout`(_ note: Note) {}
          func `1st one`(_ note: Note) {}

          nonisolated static var registration: TaskKit::ModuleRegistration {
            TaskKit::ModuleRegistration(
              __name: "App.Names", type: Names.self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              creation: .byRegistering,
              methods: [
                TaskKit::ModuleMethod(__method: "context", at: TaskKit::TaskLocation("App/Tasks.swift", 3, 3), \
        occasions: [TaskKit::TaskOccasion(.noted, __runWithContext: _moduleTask(context:))]),
                TaskKit::ModuleMethod(__method: "let", at: TaskKit::TaskLocation("App/Tasks.swift", 4, 3), \
        occasions: [TaskKit::TaskOccasion(.noted, __runWithContext: _moduleTask(let:))]),
                TaskKit::ModuleMethod(__method: "inout", at: TaskKit::TaskLocation("App/Tasks.swift", 5, 3), \
        occasions: [TaskKit::TaskOccasion(.noted, __runWithContext: _moduleTask(`inout`:))]),
                TaskKit::ModuleMethod(__method: "1st one", at: TaskKit::TaskLocation("App/Tasks.swift", 6, 3), \
        occasions: [TaskKit::TaskOccasion(.noted, __runWithContext: _moduleTask(`1st one`:))])])
          }

          static func _moduleTask(context: TaskKit::TaskContext<Note>) async throws {
            return try await context.__module(Names.self).context(context.payload)
          }

          static func _moduleTask(`let` context: TaskKit::TaskContext<Note>) async throws {
            return try await context.__module(Names.self).`let`(context.payload)
          }

          static func _moduleTask(`inout` context: TaskKit::TaskContext<Note>) async throws {
            return try await context.__module(Names.self).`inout`(context.payload)
          }

          static func _moduleTask(`1st one` context: TaskKit::TaskContext<Note>) async throws {
            return try await context.__module(Names.self).`1st one`(context.payload)
          }
        }

        extension Names: nonisolated TaskKit::__LifecycleModule {}
        """),
    Sample(
      "a module without methods, made by an implicit initialiser at launch",
      """
      @TaskModule(creation: ModuleCreation.atLaunch)
      class Journal {
        var lines = 0
      }
      """,
      expandsTo: """
        class Journal {
          var lines = 0

          nonisolated static var registration: TaskKit::ModuleRegistration {
            TaskKit::ModuleRegistration(
              __name: "App.Journal", type: Journal.self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              creation: .atLaunch,
              make: _makeModule,
              methods: [])
          }

          static func _makeModule(_ modules: TaskKit::ModuleDependencies) -> Journal {
            return Journal()
          }
        }

        extension Journal: nonisolated TaskKit::__LifecycleModule {}
        """),
    Sample(
      "of several initialisers the one that leaves least to defaults is called",
      """
      @TaskModule
      final class Ads {
        init(limit: Int = 1) {}
        init() throws {}
      }
      """,
      expandsTo: """
        final class Ads {
          init(limit: Int = 1) {}
          init() throws {}

          nonisolated static var registration: TaskKit::ModuleRegistration {
            TaskKit::ModuleRegistration(
              __name: "App.Ads", type: Ads.self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              make: _makeModule,
              methods: [])
          }

          static func _makeModule(_ modules: TaskKit::ModuleDependencies) throws -> Ads {
            return try Ads()
          }
        }

        extension Ads: nonisolated TaskKit::__LifecycleModule {}
        """),
    Sample(
      "where all initialisers call another one there is an implicit one",
      """
      @TaskModule
      final class Ads {
        convenience init(port: Int) { self.init() }
      }
      """,
      expandsTo: """
        final class Ads {
          convenience init(port: Int) { self.init() }

          nonisolated static var registration: TaskKit::ModuleRegistration {
            TaskKit::ModuleRegistration(
              __name: "App.Ads", type: Ads.self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              make: _makeModule,
              methods: [])
          }

          static func _makeModule(_ modules: TaskKit::ModuleDependencies) -> Ads {
            return Ads()
          }
        }

        extension Ads: nonisolated TaskKit::__LifecycleModule {}
        """),
    Sample(
      "what becomes of a module that it is given is the initialiser's own business",
      """
      @TaskModule(dependencies: [Settings.self, Journal.self])
      final class Ads {
        init(settings: consuming Settings, _ journal: sending Journal?) {}
      }
      """,
      expandsTo: """
        final class Ads {
          init(settings: consuming Settings, _ journal: sending Journal?) {}

          nonisolated static var registration: TaskKit::ModuleRegistration {
            TaskKit::ModuleRegistration(
              __name: "App.Ads", type: Ads.self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              dependencies: [
                TaskKit::ModuleDependency(__type: Settings.self, "Settings"),
                TaskKit::ModuleDependency(__type: Journal.self, "Journal")],
              make: _makeModule,
              methods: [])
          }

          static func _makeModule(_ modules: TaskKit::ModuleDependencies) throws -> Ads {
            return try Ads(settings: modules.__module(Settings.self), modules.__optionalModule(Journal.self))
          }
        }

        extension Ads: nonisolated TaskKit::__LifecycleModule {}
        """),
    Sample(
      "the implicit one is called also where one inside '#if' calls it",
      """
      @TaskModule(dependencies: [Store.self])
      final class Ads {
        #if DEBUG
        convenience init(store: Store) { self.init() }
        #endif
      }
      """,
      expandsTo: """
        final class Ads {
          #if DEBUG
          convenience init(store: Store) { self.init() }
          #endif

          nonisolated static var registration: TaskKit::ModuleRegistration {
            TaskKit::ModuleRegistration(
              __name: "App.Ads", type: Ads.self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              dependencies: [TaskKit::ModuleDependency(__type: Store.self, "Store")],
              make: _makeModule,
              methods: [])
          }

          static func _makeModule(_ modules: TaskKit::ModuleDependencies) -> Ads {
            return Ads()
          }
        }

        extension Ads: nonisolated TaskKit::__LifecycleModule {}
        """),
    Sample(
      "an initialiser may stand inside '#if'",
      """
      @TaskModule
      final class Ads {
        #if DEBUG
        init() throws {}
        #else
        init(limit: Int = 1) throws {}
        #endif
      }
      """,
      expandsTo: """
        final class Ads {
          #if DEBUG
          init() throws {}
          #else
          init(limit: Int = 1) throws {}
          #endif

          nonisolated static var registration: TaskKit::ModuleRegistration {
            TaskKit::ModuleRegistration(
              __name: "App.Ads", type: Ads.self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              make: _makeModule,
              methods: [])
          }

          static func _makeModule(_ modules: TaskKit::ModuleDependencies) throws -> Ads {
            return try Ads()
          }
        }

        extension Ads: nonisolated TaskKit::__LifecycleModule {}
        """),
    Sample(
      "the initialiser's isolation is that of the function that calls it",
      """
      @TaskModule
      final class Screen {
        @MainActor init(title: String = "") async {}
      }
      """,
      expandsTo: """
        final class Screen {
          @MainActor init(title: String = "") async {}

          nonisolated static var registration: TaskKit::ModuleRegistration {
            TaskKit::ModuleRegistration(
              __name: "App.Screen", type: Screen.self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              make: _makeModule,
              methods: [])
          }

          @MainActor static func _makeModule(_ modules: TaskKit::ModuleDependencies) async -> Screen {
            return await Screen()
          }
        }

        extension Screen: nonisolated TaskKit::__LifecycleModule {}
        """),
  ]
}
