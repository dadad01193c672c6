import TaskKit

@EventTask(event: .didFinishLaunching)  // error: '@EventTask' declares a task by a type, and this is a function; move it to
func show() {}

@EventTask(event: .didFinishLaunching)  // error: '@EventTask' declares a task by a type, and this is a constant; move it to
let value = 1

@ScheduleTask(every: .seconds(1))  // error: '@ScheduleTask' declares a task by a type, and this is a type alias; move it to
typealias Number = Int

@TaskModule  // error: '@TaskModule' declares a module by a type with one instance, and this is a variable; move it to a
var storage: Int { 1 }

@TaskModule
actor Storage {
  @EventTask(event: .didFinishLaunching)  // error: this is a method of a module; write '@ModuleTask'
  func open() {}
}

extension Storage {
  @EventTask(event: .didFinishLaunching)  // error: this is a method in an extension of a module; move it to the module's own
  func close() {}
}

enum Feed {
  @NotificationTask("PricesChanged")  // error: '@NotificationTask' declares a task by a type, and this is a method; move it
  static func run() {}
}
