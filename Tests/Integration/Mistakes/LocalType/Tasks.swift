import TaskKit

func prepare() {
  @EventTask(event: .didFinishLaunching)
  enum Show {  // error: local type cannot have attached extension macro
    static func run() {}
  }
}
