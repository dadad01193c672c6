import TaskGraph

/// Which notifications tasks mean by static members of `Notification.Name`, as far as the scanned modules tell.
struct NotificationNames {
  /// How a source may write the type, and `.` alone.
  static let types: [[String]] =
    ["Notification", "NSNotification"].flatMap { type in
      [[type, "Name"], ["Foundation", type, "Name"]]
    } + [[""]]

  private let members: MemberNames

  init(_ modules: [ScannedModule]) {
    members = MemberNames(modules, of: .notification)
  }

  /// The notification that a task names by a member.
  func resolve(_ occasion: Occasion, in task: ScannedTask) -> Occasion {
    declaration(of: occasion, in: task)?.name.map { .notification($0) } ?? occasion
  }

  /// What declares the member by which a task names a notification.
  func declaration(of occasion: Occasion, in task: ScannedTask) -> MemberNames.Declaration? {
    guard case .unreadNotification(let text) = occasion, text.hasPrefix(".") else { return nil }
    return members.declaration(of: String(text.dropFirst()), in: task)
  }
}

extension FileReader {
  /// `"N"`, `Notification.Name("N")` and `.init(rawValue: "N")` say which one it is; `.news` says it by a member that is
  /// looked up later.
  func notification(_ value: SourceExpression) -> Occasion {
    if let name = value.plainString { return .notification(name) }
    if let (callee, arguments) = value.call, var path = callee.memberPath, arguments.count == 1 {
      if path.last == "init" { path.removeLast() } else if path == [""] { path = [] }
      let label = self.label(of: arguments[0])
      if NotificationNames.types.contains(path), label == nil || label == "rawValue",
        let name = expression(arguments[0].value).plainString
      {
        return .notification(name)
      }
    } else if let path = value.memberPath, let member = path.last,
      NotificationNames.types.contains(Array(path.dropLast()))
    {
      return .unreadNotification("." + member)
    }
    return .unreadNotification(value.compactText)
  }
}
