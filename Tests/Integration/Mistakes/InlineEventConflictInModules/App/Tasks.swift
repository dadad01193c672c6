import Core
import TaskKit

// error: event 'orderPlaced' carries 'String' here and 'Int' in module 'Core'; give one of them another name
@EventTask(event: LifecycleEvent<String, Void>("orderPlaced"))
enum SendReceipt {
  static func run(_ buyer: String) {}
}
