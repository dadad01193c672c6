import Foundation
import TaskKit
import TaskKitDurable

// A snippet is compiled, not run.
let center: TaskCenter = { fatalError() }()
let id = JobID(rawValue: 1)
let yesterday = Date(timeIntervalSinceNow: -86_400)
