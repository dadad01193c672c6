/// The runs of a center that have something to start: first the one whose task the law puts first, the one that began first
/// among equals. Under a limit, the choice is among all of them.
///
/// A binary heap of runs, and of each run where it is in there. A run rises as soon as a more urgent task of it is ready;
/// that it has become less urgent, because such a task has started or ended, is looked at when it has come to the top. So
/// each task costs O(log n) of n runs, and one of the only run O(1).
///
/// A class, because the states of the runs share it with their machine: all belong to the lock of one center.
final class ReadyRuns {
  struct Entry {
    let run: RunHandle
    /// Its place in the order in which runs have begun.
    let turn: UInt64
    /// At least that of the most urgent task that is ready.
    var urgency: Int

    func comes(before other: Entry) -> Bool {
      urgency != other.urgency ? urgency > other.urgency : turn < other.turn
    }
  }

  private var entries: ContiguousArray<Entry> = []
  /// By the run's slot; -1 where it is not among the entries.
  private var places: ContiguousArray<Int> = []

  var first: Entry? { entries.first }

  /// Whether no other run is among those that may have something to start.
  func isAlone(_ run: RunHandle) -> Bool { entries.isEmpty || (entries.count == 1 && entries[0].run == run) }

  /// A task of a run is ready.
  func raise(_ run: RunHandle, turn: UInt64, to urgency: Int) {
    while places.count <= run.slot { places.append(-1) }
    var place = places[run.slot]
    if place < 0 {
      place = entries.count
      entries.append(Entry(run: run, turn: turn, urgency: urgency))
    } else if entries[place].urgency >= urgency {
      return
    }
    rise(Entry(run: run, turn: turn, urgency: urgency), from: place)
  }

  /// The first run has nothing as urgent any more.
  func lowerFirst(to urgency: Int) {
    var entry = entries[0]
    entry.urgency = urgency
    sink(entry, from: 0)
  }

  /// A run has nothing to start, or is gone.
  func remove(_ run: RunHandle) {
    guard run.slot < places.count, places[run.slot] >= 0 else { return }
    let place = places[run.slot]
    places[run.slot] = -1
    let last = entries.removeLast()
    guard place < entries.count else { return }
    if last.comes(before: entries[place]) { rise(last, from: place) } else { sink(last, from: place) }
  }

  private func rise(_ entry: Entry, from start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) >> 1
      guard entry.comes(before: entries[parent]) else { break }
      put(entries[parent], at: place)
      place = parent
    }
    put(entry, at: place)
  }

  private func sink(_ entry: Entry, from start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].comes(before: entries[child]) { child += 1 }
      guard entries[child].comes(before: entry) else { break }
      put(entries[child], at: place)
      place = child
    }
    put(entry, at: place)
  }

  private func put(_ entry: Entry, at place: Int) {
    entries[place] = entry
    places[entry.run.slot] = place
  }
}
