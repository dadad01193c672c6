import TaskKit

let center = TaskCenter(registry: .generated)
