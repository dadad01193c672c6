// settings: none
import All
import Main5
import Main6
import Plain5
import TaskKit
import TaskKitDurable

print(TaskRegistry.generated.kinds.map(\.kind).joined(separator: " "))

// prints: all.upload all.show all.nested main5.upload main5.show main5.nested main6.upload main6.show main6.nested plain5.upload plain5.show plain5.nested
