import TaskKit

/// What one writes by hand without a build step: names to numbers by a dictionary, then Kahn's algorithm.
enum NamedKahn {
  /// The names in an order that keeps the dependencies; of equal claim, as declared.
  static func order(of registrations: [TaskRegistration]) -> [TaskName] {
    var numbers: [TaskName: Int] = [:]
    for (number, registration) in registrations.enumerated() { numbers[registration.name] = number }
    var dependents = [[Int]](repeating: [], count: registrations.count)
    var missing = [Int](repeating: 0, count: registrations.count)
    for (number, registration) in registrations.enumerated() {
      for dependency in registration.dependencies {
        guard let other = numbers[TaskName(dependency.description)] else { continue }
        dependents[other].append(number)
        missing[number] += 1
      }
    }
    var order = registrations.indices.filter { missing[$0] == 0 }
    var next = 0
    while next < order.count {
      for dependent in dependents[order[next]] {
        missing[dependent] -= 1
        if missing[dependent] == 0 { order.append(dependent) }
      }
      next += 1
    }
    return order.map { registrations[$0].name }
  }
}
