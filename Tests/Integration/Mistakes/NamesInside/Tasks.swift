import TaskKit

let limit = Duration.seconds(5)
func pause() -> Duration { .seconds(1) }

// error: 'limit' is a member of 'Load', and means that one where the macro puts it, but not here
@EventTask(event: .didFinishLaunching, timeout: limit)
enum Load {
  static func run() {}
}

// error: 'pause' is a member of 'Show', and means that one where the macro puts it, but not here
@EventTask(event: .didFinishLaunching, retry: .attempts(2, backoff: .fixed(pause())))
struct Show: Patient {
  func run() {}
}

enum Feed {
  @EventTask(event: .didFinishLaunching)
  enum Fetch {
    static func run() {}
  }

  // error: 'Self' means 'Refresh' where the macro puts it, but not here; write 'Feed'
  @EventTask(event: .didFinishLaunching, dependencies: [Self.Fetch.self])
  enum Refresh {
    static func run() {}
  }
}

extension Load {
  static let limit = Duration.seconds(60)  // note: the member is declared here
}

protocol Patient {}

extension Patient {
  static func pause() -> Duration { .seconds(10) }  // note: the member is declared here
}
