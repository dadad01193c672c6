import TaskKit

@EventTask(event: .didFinishLaunching)
enum Generic {
  static func run<Value>(_ value: Value) {}  // error: 'run' is generic ('<Value>')
}

@EventTask(event: .didFinishLaunching)
enum TwoParameters {
  static func run(_ options: LaunchOptions, _ other: Int) {}  // error: 'run' has 2 parameters; it takes nothing
}

@EventTask(event: .didFinishLaunching)
enum Labelled {
  static func run(options: LaunchOptions) {}  // error: the parameter of 'run' has the label 'options'
}

@EventTask(event: .didFinishLaunching)
enum Opaque {
  static func run() -> some Sendable { 1 }  // error: 'run' returns 'some Sendable'
}

@EventTask(event: .didFinishLaunching)
enum InOut {
  static func run(_ options: inout LaunchOptions) {}  // error: the parameter of 'run' is 'inout'
}
