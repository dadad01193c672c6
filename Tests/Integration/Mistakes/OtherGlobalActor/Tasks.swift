import TaskKit

@globalActor
actor Storage {
  static let shared = Storage()
}

@EventTask(event: .didFinishLaunching)  // error: loses global actor 'Storage'
enum Open {
  @Storage static func run() {}
}
