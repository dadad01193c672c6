/// The tasks of a registry by number: what a launch wants to know of each, in one piece of memory, and what they wait for.
///
/// A launch reads no registration. Each is a piece of memory of its own, and fetching that costs more than planning the
/// task.
final class RegistryTable: Sendable {
  struct Row: Sendable {
    let facts: ModuleTasks.Facts
    let module: Int32
    /// Its one event, by its place in `events`; -1 for a task that is not entered as simply as that.
    let event: Int32
  }

  typealias Links = ArraySlice<Int32>

  /// In the order of declaration. The modules hold the registrations that are lent here.
  let rows: ConstantTable<Row>
  private let modules: [ModuleTasks]
  /// Of one module after the other: the same event may be there more than once.
  let events: [EventDescription]
  /// Whom the tasks wait for, in rows.
  private let targets: [Int32]
  /// Where the dependencies of each task begin and where its `after`, and at last where all ends.
  private let starts: ContiguousArray<Int32>
  /// Names that no task of the registry has.
  let unresolvedAfter: [Int32: [TaskReference]]

  /// Numbers every task in the order of declaration and resolves what they wait for.
  ///
  /// What the build numbered is taken over without hashing or comparing a name, and without memory for a single task; what
  /// it could not number, and what was put together by hand, is looked up by type or name. A dependency that was left out
  /// with `.detach` is dropped. A task that needs one which was never there fails and says so.
  init(_ modules: [ModuleTasks]) {
    let count = modules.reduce(0) { $0 + $1.count }
    var links = LinkResolution(modules, count: count)
    for position in modules.indices { links.addRows(of: position) }
    links.end()
    var modules = modules
    for (module, slot, error) in links.lacking { modules[module].refuse(slot, with: error) }
    var events: [EventDescription] = []
    rows = ConstantTable(capacity: count) { memory in
      var number = 0
      for (position, module) in modules.enumerated() {
        let firstEvent = Int32(events.count)
        events += module.events
        module.slots.withUnsafeBufferPointer { slots in
          for slot in slots.indices {
            guard let facts = slots[slot].facts else { continue }
            (memory + number).initialize(
              to: Row(
                facts: facts, module: Int32(position), event: facts.event < 0 ? -1 : firstEvent + facts.event))
            number += 1
          }
        }
      }
      return number
    }
    self.modules = modules
    self.events = events
    targets = links.targets
    starts = links.starts
    unresolvedAfter = links.unresolvedAfter
  }

  var count: Int { rows.count }

  /// How many references there are.
  var linkCount: Int { targets.count }

  func registration(_ row: Int32) -> TaskRegistration { rows[Int(row)].facts.registration.whole }

  func module(_ row: Int32) -> String { modules[Int(rows[Int(row)].module)].module(of: registration(row)) }

  func dependencies(of row: Int32) -> Links { targets[Int(starts[2 * Int(row)])..<Int(starts[2 * Int(row) + 1])] }

  func after(of row: Int32) -> Links { targets[Int(starts[2 * Int(row) + 1])..<Int(starts[2 * Int(row) + 2])] }

  /// All links at once: what begins where.
  @inline(__always)
  func withLinks(_ body: (_ targets: UnsafeBufferPointer<Int32>, _ starts: UnsafeBufferPointer<Int32>) -> Void) {
    targets.withUnsafeBufferPointer { targets in starts.withUnsafeBufferPointer { body(targets, $0) } }
  }
}
