/// What a compiled time zone file says (TZif, RFC 9636): when local time changed, to what, and how it goes on.
public struct ZoneFile: Sendable, Hashable {
  /// 1 for files with 32-bit times only; 2, 3 or 4 for those with 64-bit times and a rule for the future.
  public let version: Int
  /// Unix times, ascending.
  public let transitions: [Int64]
  /// For each transition, the place in `types` of what holds from then on.
  public let typeIndices: [UInt8]
  /// Never empty; the first holds before the first transition.
  public let types: [LocalTimeType]
  /// What holds after the last transition; nil where the file does not say, so that the last one goes on for ever.
  public let rule: PosixRule?

  /// Reads a file.
  ///
  /// - Throws: ``ZoneDataError`` with the path, for whatever is wrong.
  public init(path: String, bytes: [UInt8]) throws(ZoneDataError) {
    do {
      self = try ZoneFileParser(bytes).file()
    } catch let malformed as Malformed {
      throw ZoneDataError(path: path, reason: "no valid time zone file: \(malformed.reason)")
    } catch {
      throw ZoneDataError(path: path, reason: "\(error)")
    }
  }

  init(
    version: Int, transitions: [Int64], typeIndices: [UInt8], types: [LocalTimeType], rule: PosixRule?
  ) {
    self.version = version
    self.transitions = transitions
    self.typeIndices = typeIndices
    self.types = types
    self.rule = rule
  }
}
