import Mail
import News
import TaskKit

@EventTask(event: .didBecomeActive, after: ["Refresh"])  // error: 'Mail.Refresh' or 'News.Refresh'; write the full name
enum Show {
  static func run() {}
}

@EventTask(event: .didBecomeActive, after: ["Mail.Refresh"])
enum ShowMail {
  static func run() {}
}
