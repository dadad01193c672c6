import Core
import TaskKit

print(TaskRegistry.generated.count, coreTasks().count)  // prints: 0 0
