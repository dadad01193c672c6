import Arguments
import Presentation
import TaskKit
import ZoneData
import ZoneIndex

/// Says what the answers will be based on: the last task of the launch, behind a check that is usually switched off.
@EventTask(
  priority: .low, event: .didFinishLaunching,
  dependencies: [BuildAtlas.self, ChooseStyle.self, ReadVersion.self, Tables.ReadLeapSeconds.self],
  after: ["ZoneIndex.VerifyAtlas"])
enum Greet {
  @MainActor static func run(_ context: TaskContext<LaunchOptions>) throws {
    guard let console = context[Console.self], context.payload[Invocation.self]?.isJSON != true else { return }
    let atlas = try context.output(of: BuildAtlas.self)
    let style = try context.output(of: ChooseStyle.self)
    // Both of these may fail; then the line is shorter.
    var line = "World clock: time zone database"
    if let version = try? context.output(of: ReadVersion.self) { line += " \(version)" }
    line += ", \(atlas.zones.zones.count) zones, \(atlas.aliases.count) aliases, \(atlas.countries.count) countries"
    if let leaps = try? context.output(of: Tables.ReadLeapSeconds.self), let now = context.payload[LaunchInstant.self] {
      line += ", UTC \(leaps.difference(at: now)) s behind atomic time"
    }
    console.write(style.dim(line))
  }
}
