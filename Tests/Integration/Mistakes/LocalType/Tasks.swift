import TaskKit

func prepare() {
  @EventTask(event: .didFinishLaunching)
  enum Show {  // error: 'Show' is declared inside a function, where the registry cannot see it
    static func run() {}
  }
}
