// plugin: none
import TaskKit

// Without the plugin, which says what to add, the compiler still refuses it: the form is TaskKitDurable's.
@ScheduleTask(every: .seconds(30), durable: true)  // error: extra argument 'durable' in macro expansion
struct Refresh: Codable {
  func run() {}
}
