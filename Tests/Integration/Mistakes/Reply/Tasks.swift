import TaskKit

@EventTask(event: .openURL)  // error: Int
enum Open {
  static func run(_ request: OpenURLRequest) -> Int { 1 }
}
