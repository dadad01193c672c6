#if TASKKIT_STAND_INS || canImport(CloudKit)
#if TASKKIT_STAND_INS
public import TaskKit
#else
public import CloudKit
#endif

extension CloudKitShareInvitation {
  /// What the system has handed over; nil of an invitation that a test has made.
  public var metadata: CKShare.Metadata? { (handed as? HandedMetadata)?.metadata }

  init(_ metadata: CKShare.Metadata) {
    self.init(containerIdentifier: metadata.containerIdentifier, handed: HandedMetadata(metadata: metadata))
  }
}

// May be sent: all that it has can only be read.
private struct HandedMetadata: @unchecked Sendable {
  let metadata: CKShare.Metadata
}
#endif
