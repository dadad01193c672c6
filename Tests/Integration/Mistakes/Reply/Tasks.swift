import TaskKit

@EventTask(event: .openURL)  // error: 'Bool'
enum Open {
  static func run(_ request: OpenURLRequest) -> Int { 1 }
}
