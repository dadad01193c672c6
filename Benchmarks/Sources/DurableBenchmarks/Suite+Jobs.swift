#if Durable
import Foundation
import Measuring

extension Suite {
  static let callers = 64
  static let batch = 100

  /// The engines that are asked for, each with a file of its own. huey only where it is there.
  static func engines(_ settings: Settings, in folder: URL, named name: String) async throws -> [any DurableEngine] {
    // A folder each, so that none hears of what others write.
    func file(_ engine: String) throws -> URL {
      let own = folder.appending(path: "\(name)-\(engine)")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      return own.appending(path: "jobs.sqlite")
    }
    var engines: [any DurableEngine] = [try await HandLoop(at: try file("loop"))]
    if settings.includes(engine: ValueLoop.name) { engines.append(try await ValueLoop(at: file("values"))) }
    if settings.includes(engine: StoreEngine.name) { engines.append(try await StoreEngine(at: file("store"))) }
    if settings.includes(engine: CenterEngine.name) {
      engines.append(try await CenterEngine(at: file("center"), workers: batch))
    }
    if settings.includes(engine: HueyEngine.name), let huey = try HueyEngine(at: file("huey")) { engines.append(huey) }
    return engines
  }

  /// What it costs to write jobs down and to do them.
  @concurrent
  static func jobs(_ settings: Settings, _ folder: URL) async throws -> Section {
    let engines = try await engines(settings, in: folder, named: "jobs")
    let (small, large) = (Disk(in: folder, bytes: 4096), Disk(in: folder, bytes: 65_536))
    var flushes: (small: [Double], large: [Double]) = ([], [])
    /// By engine, one value for each round.
    var single = engines.map { _ in [Double]() }
    var (enqueued, done) = (single, single)
    let each = settings.isQuick ? 16 : 32
    for round in 0..<settings.rounds {
      flushes.small.append(small.flushes(32).median)
      flushes.large.append(large.flushes(32).median)
      // Every other round backwards, so that nobody always comes after the same one.
      let turn = round.isMultiple(of: 2) ? Array(engines.indices) : engines.indices.reversed()
      for index in turn {
        let engine = engines[index]
        single[index].append(try await engine.enqueueInTurn(16).median)
        _ = try await engine.work(batch: batch)
        let count = max(1, Int(Double(each) * engine.share))
        enqueued[index].append(try await engine.enqueue(callers: callers, each: count) / Double(count * callers))
        done[index].append(try await engine.work(batch: batch) / Double(count * callers))
      }
    }
    for engine in engines { try await engine.close() }

    var section = Section(
      "jobs", "jobs that do nothing, every commit on the disk", columns: ["what"] + engines.map(\.name))
    section.addFlushes("a flush of 4 KiB", flushes.small)
    section.addFlushes("a flush of 64 KiB", flushes.large)
    let names = engines.map(\.name)
    section.addTimes("one enqueue after the other", names, single)
    section.addRates("enqueue, \(callers) callers", names, enqueued)
    section.addRates("claim and finish, \(batch) at a time", names, done)
    if settings.engines.isEmpty, !engines.contains(where: { $0 is HueyEngine }) {
      section.add(["huey is not there: python3 -m pip install huey"], [])
    }

    let own = engines.indices.filter { engines[$0] is StoreEngine || engines[$0] is CenterEngine }
    func ratios(_ values: [[Double]], of engines: [Int], to first: Int = 0) -> [(row: String, value: Double)] {
      engines.map { (names[$0], zip(values[first], values[$0]).map { $0 / $1 }.median) }
    }
    section.judge(.atLeast(0.8, "enqueue from \(callers) callers, of the C API", ratios(enqueued, of: own)))
    section.judge(.atLeast(0.8, "claim and finish, of the C API", ratios(done, of: own)))
    // What of its distance a loop of one thread that encodes has, too.
    if let loop = engines.firstIndex(where: { $0 is ValueLoop }) {
      let center = own.filter { engines[$0] is CenterEngine }
      for (title, values) in [("enqueue from \(callers) callers", enqueued), ("claim and finish", done)] {
        section.judge(.atLeast(0.8, "\(title), of the C API with values", ratios(values, of: center, to: loop)))
      }
    }
    section.judge(
      .atMost(
        2, "one enqueue, in flushes of 4 KiB",
        own.map { (engines[$0].name, zip(single[$0], flushes.small).map { $0 / $1 }.median) }))
    return section
  }
}

extension Section {
  mutating func addFlushes(_ title: String, _ times: [Double]) {
    let time = times.median
    let row =
      "\(title): \(Self.nanoseconds(time)), \(Int(1e9 / time)) a second (\(Self.nanoseconds(times.min()!)) to \(Self.nanoseconds(times.max()!)))"
    add(
      [row], [Measuring.Measurement(suite: suite, row: title, column: "disk", unit: "ns", value: time, ratio: nil)])
  }

  /// Times, with how many times as long they are as the first one's.
  mutating func addTimes(_ title: String, _ engines: [String], _ values: [[Double]]) {
    add(title, engines, values, unit: "ns", text: Self.nanoseconds) { $1 / $0 }
  }

  /// Jobs a second, with what part of the first one's that is; the values are nanoseconds per job.
  mutating func addRates(_ title: String, _ engines: [String], _ values: [[Double]]) {
    add(title, engines, values, unit: "ns/job", text: { "\(Int(1e9 / $0)) jobs/s" }) { $0 / $1 }
  }

  private mutating func add(
    _ title: String, _ engines: [String], _ values: [[Double]], unit: String, text: (Double) -> String,
    ratio: (_ first: Double, Double) -> Double
  ) {
    var row = [title]
    var measurements: [Measuring.Measurement] = []
    for (index, engine) in engines.enumerated() {
      let median = values[index].median
      let ratio = index == 0 ? nil : zip(values[0], values[index]).map(ratio).median
      row.append(text(median) + (ratio.map { " (\(Self.ratio($0)))" } ?? ""))
      measurements.append(
        Measuring.Measurement(suite: suite, row: title, column: engine, unit: unit, value: median, ratio: ratio))
    }
    add(row, measurements)
  }
}
#endif
