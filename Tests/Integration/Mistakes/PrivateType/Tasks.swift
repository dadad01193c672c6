import TaskKit

@EventTask(event: .didFinishLaunching)
private enum Show {  // error: 'Show' is private, so the registry in another file cannot see it; make it internal
  static func run() {}
}

@EventTask(event: .didFinishLaunching)
fileprivate struct Open {  // error: 'Open' is fileprivate, so the registry in another file cannot see it
  func run() {}
}

enum Feed {
  @EventTask(event: .didFinishLaunching)
  private enum Refresh {  // error: 'Refresh' is private, so the registry in another file cannot see it
    static func run() {}
  }
}

private enum Secret {
  @EventTask(event: .didFinishLaunching)
  enum Refresh {  // error: 'Refresh' is declared in 'Secret', which is private
    static func run() {}
  }
}
