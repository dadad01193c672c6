// plugin: none
import TaskKit

// warning: add plugins: [.plugin(name: "TaskKitPlugin", package: "TaskKit")] to its target in Package.swift
@EventTask(event: .didFinishLaunching)
enum Show {
  static func run() {}
}

enum Feed {
  @EventTask(event: .didFinishLaunching)  // warning: this task is not collected into a registry
  struct Refresh {
    func run() {}
  }
}
