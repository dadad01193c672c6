// What delegates hear of that belongs to other frameworks: the names alone.

open class CKShare: NSObject {
  open class Metadata: NSObject {}
}

open class INIntent: NSObject {}
open class INIntentResponse: NSObject {}
