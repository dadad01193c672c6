import TaskKit
import TaskKitDurable

@DurableTask(kind: "send")  // error: '@DurableTask' declares a kind of job by a type, and this is a function; move it to a
func send() {}

// error: '@ScheduleTask' declares a kind of job by a type, and this is a function; move it to a struct, enum or final class
@ScheduleTask(every: .seconds(30), durable: true)
func clean() {}

@ScheduleTask(every: .seconds(30))  // error: '@ScheduleTask' declares a task by a type, and this is a function; move it to
func refresh() {}
