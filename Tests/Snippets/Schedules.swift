import Foundation
import TaskKit

let center = TaskCenter(registry: .generated)

enum Campaign {
  static let start = Date(timeIntervalSince1970: 1_798_761_600)
}

@EventTask(event: .didFinishLaunching)
enum OpenDatabase {
  static func run() {}
}
