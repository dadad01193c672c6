import TaskKit

@EventTask(event: .openURL)  // error: to return a Sendable value: the reply, if there is one
enum Open {
  static func run(_ request: OpenURLRequest) -> Int { 1 }
}
