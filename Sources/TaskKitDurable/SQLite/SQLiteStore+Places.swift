#if Durable && !os(Windows)
import Foundation

extension SQLiteStore {
  /// A store in a file of that name where the system keeps what programs must not lose: never where it may be cleared.
  ///
  /// On Apple's systems that is Application Support, readable from the first unlocking on; elsewhere `$XDG_STATE_HOME`, or
  /// `$HOME/.local/state`, each with a folder of the program's name.
  ///
  /// - Throws: where the folder is not there and cannot be made.
  public static func named(_ name: String) throws -> SQLiteStore {
    try named(name, in: ProcessInfo.processInfo.environment)
  }

  static func named(_ name: String, in environment: [String: String]) throws -> SQLiteStore {
    // Byte by byte, as the system does: a slash with an accent is another character in Swift, and leads elsewhere all the same.
    let slashOrNul: Set = [UInt8(ascii: "/"), 0]
    guard !name.isEmpty, slashOrNul.isDisjoint(with: name.utf8), name != ".", name != ".." else {
      throw JobStoreError(.invalid, store: name, detail: "\(name.debugDescription) is not the name of a file")
    }
    let folder: URL
    do { folder = try stateFolder(environment) } catch {
      throw JobStoreError(.missing, store: name, detail: "the system has no folder for it: \(error)")
    }
    do {
      // What jobs carry is nobody else's business; the specification of state folders asks for it, too.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      try FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: folder.path)
      #endif
    } catch {
      let reason: JobStoreError.Reason =
        switch (error as? CocoaError)?.code {
        case .fileWriteNoPermission, .fileWriteVolumeReadOnly: .readOnly
        case .fileWriteOutOfSpace: .full
        default: .missing
        }
      throw JobStoreError(reason, store: folder.path, detail: "the folder cannot be made: \(error)")
    }
    return SQLiteStore(at: folder.appending(path: "\(name).sqlite"))
  }

  static func stateFolder(_ environment: [String: String]) throws -> URL {
    let program = ProcessInfo.processInfo.processName
    #if canImport(Darwin)
    let support = try FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    return support.appending(path: Bundle.main.bundleIdentifier ?? program)
    #else
    // The specification wants relative paths to be ignored.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return URL(filePath: state).appending(path: program)
    }
    return home(environment).appending(path: ".local/state").appending(path: program)
    #endif
  }

  #if !canImport(Darwin)
  /// The specification of these folders names '$HOME', which may be another one than that of the user.
  private static func home(_ environment: [String: String]) -> URL {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser
  }
  #endif

  /// The folder of a path that the system empties when it wants to (Zw13); nil where it is in none.
  static func cache(above path: String, _ environment: [String: String]) -> String? {
    #if canImport(Darwin)
    let folders = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).map(\.path)
    #else
    // Relative paths are to be ignored here, too.
    let named = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let folders = [named, home(environment).appending(path: ".cache").path].compactMap(\.self)
    #endif
    func resolved(_ path: String) -> [String] { URL(filePath: path).resolvingSymlinksInPath().pathComponents }
    let parts = resolved(path)
    return folders.first { parts.starts(with: resolved($0)) }
  }
}

extension SQLiteStore: CheckedStore {
  package var problems: [String] {
    guard let cache = Self.cache(above: name, ProcessInfo.processInfo.environment) else { return [] }
    return [
      "'\(name)' is in a folder that may be emptied at any time, '\(cache)'; keep it where 'SQLiteStore.named(_:)' does, or in "
        + "another folder that stays"
    ]
  }
}
#endif
