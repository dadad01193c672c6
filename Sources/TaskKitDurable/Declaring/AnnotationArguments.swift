// What the arguments of `@DurableTask` are where the compiler checks them first: it does not know yet of which type's values
// they speak. The macro's output says the same of the type itself, where it is checked once more and meant.

/// Stands for a value of the annotated type, and has every member. There is no value of it.
@dynamicMemberLookup @dynamicCallable
public struct __AnyJob {
  private init() {}

  public subscript(dynamicMember name: String) -> __AnyJob { self }

  public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any>) -> __AnyJob { self }
}

/// Stands for a ``UniqueRule``.
public struct __AnyUniqueRule {
  // Beside the function, because where a key path becomes one, in an annotation inside another type, Swift 6.3 declares
  // a stored property in that type.
  public static func by(
    _ key: KeyPath<__AnyJob, __AnyJob>, _ conflict: UniqueKey.Conflict = .keep, period: Duration? = nil
  ) -> Self { Self() }

  public static func by<Key>(
    _ key: (__AnyJob) -> Key, _ conflict: UniqueKey.Conflict = .keep, period: Duration? = nil
  ) -> Self { Self() }

  public static func one(_ conflict: UniqueKey.Conflict = .keep, period: Duration? = nil) -> Self { Self() }
}

/// Stands for a ``KeyLimitRule``.
public struct __AnyKeyLimitRule {
  public static func by(_ key: KeyPath<__AnyJob, __AnyJob>, count: Int = 1) -> Self { Self() }
  public static func by<Key>(_ key: (__AnyJob) -> Key, count: Int = 1) -> Self { Self() }
  public static func shared(_ key: KeyPath<__AnyJob, __AnyJob>, count: Int = 1) -> Self { Self() }
  public static func shared<Key>(_ key: (__AnyJob) -> Key, count: Int = 1) -> Self { Self() }
}
