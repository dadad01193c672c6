/// For the macros' output only: finds members of a type that are called like a value in its annotation, as TaskKit's
/// `__NamesInside` does. Once more, because a file with an annotation need not import TaskKit, and under
/// `MemberImportVisibility` it sees the members of TaskKit's types only if it does.
@dynamicMemberLookup
public struct __NamesInsideJob<Annotated> {
  /// What is found: the name means a member.
  public struct Member {
    @available(
      *, unavailable,
      message: """
        the name that the line above ends with is that of a member, from an extension or a supertype; it means that one \
        where the macro puts it, but not in the annotation; write what is around the one that you mean in front, or give the \
        member another name
        """
    )
    public func meansTheSameOutside() {}
  }

  /// What is found elsewhere: the name means the same inside as outside.
  public struct NoMember {
    public func meansTheSameOutside() {}
  }

  public init(_ type: Annotated.Type) {}

  public subscript<Value>(dynamicMember member: KeyPath<Annotated.Type, Value>) -> Member { Member() }

  public subscript(dynamicMember name: String) -> NoMember { NoMember() }
}
