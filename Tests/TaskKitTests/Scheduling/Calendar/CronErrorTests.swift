import TaskKit
import Testing

@Suite struct CronErrorTests {
  @Test(arguments: [
    // As a whole
    """
    0 0 * *
    ^~~~~~~ these are 4 fields; write minute, hour, day of month, month and day of week, or six fields with the second in front
    """,
    """
    hourly
    ^~~~~~ this is 1 field; write minute, hour, day of month, month and day of week, or six fields with the second in front
    """,
    """
    0 0 0 1 1 ? 2030
                ^~~~ '2030' is a seventh field, and there is none for the year; remove it
    """,
    """
    @dayly
    ^~~~~~ '@dayly' is no nickname; write one of '@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly' and '@annually'
    """,
    """
    @reboot
    ^~~~~~~ '@reboot' is a moment of the process, not of the calendar; use '@EventTask(event: .didFinishLaunching)'
    """,
    """
    @every 5m
    ^~~~~~ '@every' is an interval, not a calendar rule; use 'every:', as in 'every: .minutes(5)'
    """,
    """
    @daily at noon
           ^~~~~~~ 'at noon' follows '@daily', which is a whole expression; remove it
    """,
    // Numbers and names
    """
    60 24 32 13 8
    ^~ minute '60' is more than 59; write a number from 0 to 59
       ^~ hour '24' is more than 23; write '0' for midnight
          ^~ day of the month '32' is more than 31; write a number from 1 to 31
             ^~ month '13' is more than 12; write a number from 1 to 12
                ^ day of the week '8' is more than 7; write a number from 0 to 7
    """,
    """
    60 * * 0 0 *
    ^~ second '60' is more than 59; write a number from 0 to 59
           ^ day of the month '0' is less than 1; write a number from 1 to 31
             ^ month '0' is less than 1; write a number from 1 to 12
    """,
    """
    x * * JANUARY monday
    ^ 'x' is no minute; write a number from 0 to 59
          ^~~~~~~ 'JANUARY' is no month; write 'JAN'
                  ^~~~~~ 'monday' is no day of the week; write 'MON'
    """,
    """
    5.5 * * XYZ FRY
    ^~~ '5.5' is no minute; write a number from 0 to 59
            ^~~ 'XYZ' is no month; write JAN to DEC, or a number from 1 to 12
                ^~~ 'FRY' is no day of the week; write 'FRI'
    """,
    """
    ? * ?,5 * 1-?
    ^ '?' stands only in the fields of the day; write '*'
        ^ '?' stands for the whole field; write '*'
                ^ '?' stands for the whole field; write '*'
    """,
    """
    ½ * * * é
    ^ '½' is no minute; write a number from 0 to 59
            ^ 'é' is no day of the week; write SUN to SAT, or a number from 0 to 7
    """,
    """
    1234567 * * * *
    ^~~~~~~ '1234567' is no minute; write a number from 0 to 59
    """,
    // Lists, ranges and steps
    """
    1,,2 9- -5 1-2-3 *
      ^ the list of the minute has an empty part; remove a comma
         ^~ the range '9-' has one end; write both, as in '9-17'
            ^~ the range '-5' has one end; write both, as in '1-15'
               ^~~~~ '1-2-3' has two hyphens; write a range, as in 'JAN-JUN', or a list
    """,
    """
    */0 */24 */1/2 */ *
      ^ a step of 0 goes nowhere; write a number from 1 to 59
          ^~ a step of 24 leaves only the first hour; write at most 23, or an interval ('every:')
             ^~~~~ '*/1/2' has two steps; write one, as in '*/15'
                   ^~ '*/' has no step; write a number from 1 to 12 behind '/'
    """,
    """
    */90 9-17/x * * *
      ^~ a step of 90 leaves only the first minute; write at most 59, or an interval ('every:')
              ^ 'x' is no step; write a number from 1 to 23
    """,
    """
    5-70,80/5 * * * FRI-FOO
      ^~ minute '70' is more than 59; write a number from 0 to 59
         ^~ minute '80' is more than 59; write a number from 0 to 59
                        ^~~ 'FOO' is no day of the week; write SUN to SAT, or a number from 0 to 7
    """,
    // What only the fields of the day have
    """
    0 0 LAST * L
        ^~~~ 'LAST' is no day of the month; write 'L' for the last one, 'L-3' for three days before it, 'LW' for the last weekday
               ^ 'L' names no day of the week; write the day in front, as in '5L' or 'FRIL'
    """,
    """
    0 0 L-31 * 8L
          ^~ no month has a day that is 31 days before its last; write a number from 1 to 30
               ^ day of the week '8' is more than 7; write a number from 0 to 7
    """,
    """
    0 0 W,1-5W,32W * 15W
        ^ 'W' names no day; write the day in front, as in '15W'
          ^~~~ 'W' stands behind one day of the month; write it as in '15W' or 'LW'
               ^~ day of the month '32' is more than 31; write a number from 1 to 31
                     ^~~ '15W' is the weekday nearest to a day of the month; write it in the field of that
    """,
    """
    0 0 6#3 * #2,5#6,5#,FRY#1,1#2#3
        ^~~ '6#3' counts days of the week; write it in the last field
              ^~ '#2' does not count a day of the week; write it as in 'FRI#2', the second Friday
                   ^ a month has no day of the week number '6'; write a number from 1 to 5 behind '#'
                     ^~ '5#' does not count a day of the week; write it as in 'FRI#2', the second Friday
                        ^~~ 'FRY' is no day of the week; write 'FRI'
                              ^~~~~ '1#2#3' does not count a day of the week; write it as in 'FRI#2', the second Friday
    """,
    """
    L L * LW *
    ^ 'L' is no minute; write a number from 0 to 59
      ^ 'L' is no hour; write a number from 0 to 23
          ^~ 'LW' is no month; write JAN to DEC, or a number from 1 to 12
    """,
    // Days that never come
    """
    0 0 30 2 *
        ^~ there is no day '30' in FEB; write a day that the month has, or 'L' for the last one
    """,
    """
    0 0 31 2,4,6,9,11 MON
        ^~ there is no day '31' in FEB, APR, JUN, SEP, NOV; write a day that the month has, or 'L' for the last one
    """,
    """
    0 0 L-29 2 *
        ^~~~ there is no day 'L-29' in FEB; write a day that the month has, or 'L' for the last one
    """,
    """
    0 0 */30 2 MON#2
               ^~~~~ no day of the month is both '*/30' and 'MON#2'; write '*' in one of the two fields
    """,
  ])
  func `every mistake is told at once, with its field marked`(picture: String) {
    let text = String(picture.prefix { $0 != "\n" })
    let error = #expect(throws: CronError.self) { try CronExpression(text) }
    #expect(error?.picture == picture)
    for problem in error?.problems ?? [] {
      // The range and the part say the same.
      #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == problem.part)
    }
  }

  @Test func `an empty text is a mistake at its beginning`() {
    let error = #expect(throws: CronError.self) { try CronExpression("  ") }
    #expect(
      error?.description == "cron expression '  ': there is no cron expression; write five fields, as in '30 2 * * *'")
    #expect(error?.problems.map(\.field) == [nil])
  }

  @Test func `all mistakes stand on one line too, each with its field, its place and what to write instead`() {
    let error = #expect(throws: CronError.self) { try CronExpression("61 24 * * MON-FRY") }
    #expect(
      error?.description
        == "cron expression '61 24 * * MON-FRY': minute '61' is more than 59; write a number from 0 to 59. "
        + "hour '24' is more than 23; write '0' for midnight. 'FRY' is no day of the week; write 'FRI'")
    #expect(error?.text == "61 24 * * MON-FRY")
    #expect(error?.problems.map(\.field) == [.minute, .hour, .dayOfWeek])
    #expect(error?.problems.map(\.range) == [0..<2, 3..<5, 14..<17])
    #expect(error?.problems.map(\.part) == ["61", "24", "FRY"])
    #expect(error?.problems.map(\.replacement) == [nil, "0", "FRI"])
    // It may be a line of a file, with its end.
    let line = #expect(throws: CronError.self) { try CronExpression("61 * * * *\r\n") }
    #expect(
      line?.description == "cron expression '61 * * * * ': minute '61' is more than 59; write a number from 0 to 59")
    #expect(line?.picture == "61 * * * * \n^~ minute '61' is more than 59; write a number from 0 to 59")
  }

  @Test(arguments: [
    """
    2
    ^ '2' is no time of day; write hour and minute, as in '02:30'
    """,
    """
    2:
    ^~ '2:' is no time of day; write hour and minute, as in '02:30'
    """,
    """
    24:60:61
    ^~ hour '24' is more than 23; write '00' for midnight
       ^~ minute '60' is more than 59; write 00 to 59
          ^~ second '61' is more than 59; write 00 to 59
    """,
    """
    2:30 pm
      ^~~~~ '30 pm' is no minute; write 00 to 59, counting 24 hours a day
    """,
    """
    2:5
      ^ '5' is no minute; write 00 to 59, counting 24 hours a day
    """,
    """
    012:30
    ^~~ '012' is no hour; write 0 to 23, counting 24 hours a day
    """,
    """
    25:00
    ^~ hour '25' is more than 23; write 0 to 23
    """,
  ])
  func `what is wrong with a time of day is told in the same way`(picture: String) {
    let text = String(picture.prefix { $0 != "\n" })
    let error = #expect(throws: CronError.self) { try DailyTime(text) }
    #expect(error?.picture == picture)
    #expect(error?.description.hasPrefix("time of day '\(text)': ") == true)
  }
}
