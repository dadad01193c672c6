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
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw JobStoreError(.invalid, store: name, detail: "'\(name)' is not the name of a file")
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
    // It names '$HOME', which may be another one than that of the user.
    let home =
      environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser
    return home.appending(path: ".local/state").appending(path: program)
    #endif
  }
}
#endif
