// settings: .enableUpcomingFeature("InternalImportsByDefault")
public import Core
public import TaskKit

@EventTask(event: .orderPlaced)
public enum Celebrate {
  public static func run(_ order: Order) {}
}

@EventTask(event: .didFinishLaunching, dependencies: [OpenDatabase.self])
package enum Count {
  package static func run() {}
}
