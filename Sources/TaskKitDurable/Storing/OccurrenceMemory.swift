/// For how long a store knows the occurrences of a schedule one by one.
///
/// Each is taken once for ever, but a schedule that fires every minute has half a million of them in a year. So of each
/// schedule only the latest are known singly. Of what lies before, a row of occurrences with no long gap in it becomes two
/// entries, its first and its last, and every time between them counts as taken: what was not taken there passed by unused
/// long ago. Long gaps stay open: a clock that was years ahead for a while must not use up the years between.
///
/// In the stores an entry whose job has a negative number closes a row: everything from the entry before it on is taken.
package enum OccurrenceMemory {
  /// How many of a schedule are known singly.
  package static let single = 1000
  /// After how many taken ones older ones are put together.
  package static let interval = 64
  /// The longest gap between two of one row, in microseconds: thirty days.
  package static let longestGap: Int64 = 30 * 86_400_000_000
}
