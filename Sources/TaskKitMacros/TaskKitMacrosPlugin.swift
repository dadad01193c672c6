import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct TaskKitMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [EventTaskMacro.self, ScheduleTaskMacro.self]
}
