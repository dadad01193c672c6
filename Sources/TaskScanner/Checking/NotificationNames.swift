import TaskGraph

/// The names of notifications that the scanned modules declare as static members of `Notification.Name`.
///
/// No file is read for them before a name is asked for.
final class NotificationNames {
  private struct Declared {
    let module: String
    /// By index.
    let file: Int
    let access: AccessLevel
    /// Nil where the source does not tell.
    let name: String?
  }

  /// How a source may write the type, and `.` alone.
  static let types: [[String]] =
    ["Notification", "NSNotification"].flatMap { type in
      [[type, "Name"], ["Foundation", type, "Name"]]
    } + [[""]]

  private let modules: [ScannedModule]
  /// By module: those that it depends on.
  private let dependencies: [String: Set<String>]
  private lazy var declared = read()

  init(_ modules: [ScannedModule]) {
    self.modules = modules
    dependencies = Dictionary(modules.map { ($0.name, $0.dependencies) }) { first, _ in first }
  }

  /// The notification that a task names by a member, if all that declare the member say the same; the module's own hides
  /// those of other modules on which that depends.
  func resolve(_ occasion: Occasion, in task: ScannedTask) -> Occasion {
    guard case .unreadNotification(let text) = occasion, text.hasPrefix("."),
      let found = declared[String(text.dropFirst())]?.filter({ isVisible($0, to: task) })
    else { return occasion }
    let own = found.filter { $0.module == task.module }
    let names = Set((own.isEmpty ? found : own).map(\.name))
    guard names.count == 1, let name = names.first?.flatMap(\.self) else { return occasion }
    return .notification(name)
  }

  private func isVisible(_ member: Declared, to task: ScannedTask) -> Bool {
    let isInSight =
      member.module == task.module || dependencies[task.module, default: []].contains(member.module)
    return isInSight && task.fileScope.sees(member.access, file: member.file, of: member.module, isForeign: true)
  }

  private func read() -> [String: [Declared]] {
    var declared: [String: [Declared]] = [:]
    for module in modules {
      for (index, source) in module.files.enumerated() where ByteSearch.mayNameNotifications(source) {
        for found in FileReader(source, module: module.name, index: index).notificationNames() {
          declared[found.member, default: []].append(
            Declared(module: module.name, file: index, access: found.access, name: found.name))
        }
      }
    }
    return declared
  }
}

extension FileReader {
  /// `static let news = Notification.Name("News")` in an extension of `Notification.Name`.
  fileprivate func notificationNames() -> [(member: String, name: String?, access: AccessLevel)] {
    var names: [(member: String, name: String?, access: AccessLevel)] = []
    for (index, type) in declarations.types.enumerated()
    where type.kind == .extension
      && NotificationNames.types.contains(TypePath.read(type.name, of: source).plainNames)
    {
      for member in staticMembers(of: type) where member.keyword != "func" {
        names.append(
          (
            TypePath.plain(source.text(member.name)),
            initialValue(behind: member.name.end, before: type.body.end, of: NotificationNames.types).name,
            access(member.access, in: index)
          ))
      }
    }
    return names
  }
}
