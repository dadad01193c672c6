/// For the macros' output only: finds members of a type that are called like a value in its annotation.
///
/// The compiler reads an annotation outside of its type and the macro's copy of it inside, where members come first: those
/// of extensions and supertypes as well, which no macro sees. The name behind the point picks the first subscript where the
/// type has a static property or a case of that name, and the second one elsewhere.
@dynamicMemberLookup
public struct __NamesInside<Annotated> {
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
