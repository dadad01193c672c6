// What delegates hear of that belongs to other frameworks: the names, and what the adapters use.

open class CKShare: NSObject {
  open class Metadata: NSObject {
    public let containerIdentifier: String

    /// The system alone makes them.
    public init(containerIdentifier: String) { self.containerIdentifier = containerIdentifier }
  }
}

open class INIntent: NSObject {}
open class INIntentResponse: NSObject {}
