import TaskKit
import TaskKitDurable

// A snippet is compiled, not run.
let center: TaskCenter = { fatalError() }()
let scheduler: any BackgroundScheduler = { fatalError() }()
