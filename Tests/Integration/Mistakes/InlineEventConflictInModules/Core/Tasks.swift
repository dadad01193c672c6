public import TaskKit

@EventTask(event: LifecycleEvent<Int, Void>("orderPlaced"))  // note: the other event 'orderPlaced' is declared here
public enum CountOrders {
  public static func run(_ number: Int) {}
}
