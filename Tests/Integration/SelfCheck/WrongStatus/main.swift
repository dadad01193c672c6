import Foundation

print("one")  // prints: one
exit(3)
