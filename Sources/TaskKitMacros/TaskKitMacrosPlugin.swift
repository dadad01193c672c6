import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct TaskKitMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    EventTaskMacro.self, ModuleTaskMacro.self, NotificationTaskMacro.self, ScheduleTaskMacro.self,
    SequenceTaskMacro.self,
    TaskModuleMacro.self,
  ]
}
