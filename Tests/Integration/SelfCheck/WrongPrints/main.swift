print("one")  // prints: one
print("two")  // prints: three
print("four")
