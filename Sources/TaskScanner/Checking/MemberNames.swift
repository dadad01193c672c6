import TaskGraph

/// A type whose values are known by the name that an initialiser is given first.
struct NamedType {
  /// How a source may write it, and `.` alone.
  let spellings: [[String]]
  /// What its own initialisers are told besides. Another one may make something else of the name.
  let labels: Set<String>
  /// Whether a static member of it may be declared in a file.
  let mayDeclare: @Sendable (SourceText) -> Bool

  static let notification = NamedType(
    spellings: NotificationNames.types, labels: [], mayDeclare: ByteSearch.mayNameNotifications)

  static let lane = NamedType(
    spellings: [["Lane"], ["TaskKit", "Lane"], [""]],
    labels: ["isolation", "onFailure", "timeout", "duplicates", "opens"], mayDeclare: ByteSearch.mayNameLanes)

  /// The name that a value is given; nil where the source does not tell.
  func name(of value: InitialValue) -> String? {
    value.labels.allSatisfy { $0.map(labels.contains) ?? false } ? value.name : nil
  }
}

/// The names that the scanned modules give to static members of a type.
///
/// No file is read for them before a member is asked for.
final class MemberNames {
  struct Declaration {
    /// Nil where the source does not tell.
    let name: String?
    let place: SourcePlace
    let access: AccessLevel
    /// The type whose extension has the member.
    let extended: TypePath
    /// In which that is looked up.
    let scope: NameScope
  }

  private let type: NamedType
  private let modules: [ScannedModule]
  /// By module: those that it depends on.
  private let dependencies: [String: Set<String>]
  private lazy var declared = read()

  init(_ modules: [ScannedModule], of type: NamedType) {
    self.modules = modules
    self.type = type
    dependencies = Dictionary(modules.map { ($0.name, $0.dependencies) }) { first, _ in first }
  }

  /// The member that a task names, if all that declare it say the same name; the module's own hides those of other modules on
  /// which that depends.
  func declaration(of member: String, in task: ScannedTask) -> Declaration? {
    let found = declared[member, default: []].filter { isVisible($0, to: task) }
    let own = found.filter { $0.scope.module == task.module }
    let meant = own.isEmpty ? found : own
    return Set(meant.map(\.name)).count == 1 ? meant.first : nil
  }

  private func isVisible(_ member: Declaration, to task: ScannedTask) -> Bool {
    let module = member.scope.module
    let isInSight = module == task.module || dependencies[task.module, default: []].contains(module)
    return isInSight && task.fileScope.sees(member.access, file: member.scope.file, of: module, isForeign: true)
  }

  private func read() -> [String: [Declaration]] {
    var declared: [String: [Declaration]] = [:]
    for module in modules {
      for (index, source) in module.files.enumerated() where type.mayDeclare(source) {
        for (member, found) in FileReader(source, module: module.name, index: index).members(of: type) {
          declared[member, default: []].append(found)
        }
      }
    }
    return declared
  }
}

extension FileReader {
  /// `static let news = Notification.Name("News")` in an extension of `Notification.Name`.
  fileprivate func members(of named: NamedType) -> [(member: String, MemberNames.Declaration)] {
    var members: [(member: String, MemberNames.Declaration)] = []
    let scope = NameScope(module: module, file: self.index, surroundings: [], imports: imports())
    for (index, type) in declarations.types.enumerated() where type.kind == .extension {
      let extended = TypePath.read(type.name, of: source)
      guard named.spellings.contains(extended.plainNames) else { continue }
      for member in staticMembers(of: type) where member.keyword != "func" {
        let value = initialValue(behind: member.name.end, before: type.body.end, of: named.spellings)
        members.append(
          (
            TypePath.plain(source.text(member.name)),
            MemberNames.Declaration(
              name: named.name(of: value), place: place(member.name.start), access: access(member.access, in: index),
              extended: extended, scope: scope)
          ))
      }
    }
    return members
  }
}
