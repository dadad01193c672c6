import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct TaskKitMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    DurableScheduleMacro.self, DurableTaskMacro.self, EventTaskMacro.self, ModuleTaskMacro.self,
    NotificationTaskMacro.self, ScheduleTaskMacro.self, SequenceTaskMacro.self, TaskModuleMacro.self,
  ]
}
