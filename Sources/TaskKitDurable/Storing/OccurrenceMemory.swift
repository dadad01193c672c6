/// For how long a store knows the occurrences of a schedule one by one.
///
/// Each is taken once for ever, but a schedule that fires every minute has half a million of them in a year. So of each
/// schedule only the latest are known singly. Of what lies before, a row of occurrences with no long gap in it becomes two
/// entries, its first and its last, and every time between them counts as taken: what was not taken there passed by unused
/// long ago. Long gaps stay open: a clock that was ahead for a while must not use up the time between. How long that is, the
/// schedule itself says, since for one that fires each second an hour may be such a time: a gap is long that is longer than each
/// of those behind it, as far as one looks. So of slots that follow each other evenly none is taken that was not offered.
///
/// In the stores an entry whose job has a negative number closes a row: everything from the entry before it on is taken.
package enum OccurrenceMemory {
  /// How many of a schedule are known singly.
  package static let single = 1000
  /// After how many taken ones older ones are put together.
  package static let interval = 64
  /// With how many behind it a gap is compared. One that comes back with each few occurrences, as the nights of a schedule for
  /// the days, parts no rows; where it comes back with more, each of them stands for as many.
  package static let compared = 64
}
