import Core
import Foundation
import TaskKit

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
let launch = await center.send(.didFinishLaunching, LaunchOptions(arguments: []))
print(launch.isSuccess, launch.modules.map(\.name).joined(separator: " "))
let registered = try center.register(Ads.News(title: "news"))
print(registered.isNew, registered.tasks.count, try center.register(Ads.News(title: "again")).isNew)
print(center.modules(of: (any Searching).self).count, await center.module(Journal.self)?.count ?? -1)
print(await center.send(.search, "cats").reply(to: .search) ?? [])
print(await center.send(.openURL, OpenURLRequest(URL(string: "x:/ad")!)).reply(to: .openURL) ?? false)
await center.send(.didEnterBackground)
await center.send(.didEnterBackground)
try center.pause(Settings.self)
try center.unregister(Ads.self)
await center.send(.didEnterBackground)
print(center.module(Ads.self) == nil)
let without = try TaskRegistry.generated.excluding(module: "Core", dependents: .include)
print(without.taskModules.map(\.name))

// prints: journal made
// prints: settings made
// prints: settings loaded
// prints: ads made
// prints: ads loaded in en, row 7
// prints: ads shown: 3
// prints: true Core.Journal Core.Settings App.Ads
// prints: true 0 false
// prints: 2 1
// prints: ["ad for cats", "news about cats"]
// prints: true
// prints: settings saved
// prints: ads paused
// prints: desktop hidden
// prints: settings saved
// prints: ads paused
// prints: true
// prints: ["News", "App.Desktop"]
