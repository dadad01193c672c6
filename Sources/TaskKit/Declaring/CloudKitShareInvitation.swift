/// An invitation to share somebody's records that the person has accepted: the payload of
/// ``LifecycleEvent/userDidAcceptCloudKitShare``.
///
/// Where there is CloudKit, its `metadata` is what the system has handed over, for `CKContainer.accept(_:)` and
/// `CKAcceptSharesOperation`.
public struct CloudKitShareInvitation: Sendable, CustomStringConvertible {
  /// The container that the records are in.
  public var containerIdentifier: String

  /// What the system has handed over; nil of an invitation that a test has made.
  package let handed: (any Sendable)?

  /// An invitation without anything of the system's: for tests.
  public init(containerIdentifier: String) {
    self.init(containerIdentifier: containerIdentifier, handed: nil)
  }

  package init(containerIdentifier: String, handed: (any Sendable)?) {
    self.containerIdentifier = containerIdentifier
    self.handed = handed
  }

  public var description: String { "invitation to a share in \(containerIdentifier)" }
}
