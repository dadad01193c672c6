import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct TaskKitMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    EventTaskMacro.self, NotificationTaskMacro.self, ScheduleTaskMacro.self, SequenceTaskMacro.self,
  ]
}
