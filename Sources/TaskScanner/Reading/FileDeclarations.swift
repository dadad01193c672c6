/// What a file declares, as far as tasks depend on it, in the order of the text.
///
/// Names and arguments are places in the text: most are never looked at.
package struct FileDeclarations: Sendable {
  package var types: [TypeDeclaration] = []
  package var imports: [ImportDeclaration] = []
  package var aliases: [AliasDeclaration] = []
  package var members: [MemberDeclaration] = []
  package var methods: [MethodDeclaration] = []
  /// The annotations of tasks that stand on something else than a type.
  var misplaced: [MisplacedAnnotation] = []
  /// The attributes of types and imports, those of one declaration next to each other.
  package var attributes: [AttributeDeclaration] = []
  /// The branches of all `#if`. Declarations refer to them by index.
  package var branches: [ConditionBranch] = []
}

/// A type or an extension.
package struct TypeDeclaration: Sendable {
  package enum Kind: String, Sendable {
    case `struct`, `enum`, `class`, `actor`, `protocol`, `extension`

    /// Whether it declares a type that has values or members of its own.
    var isNominal: Bool { self != .protocol && self != .extension }
  }

  package var kind: Kind
  /// The name; of an extension, the whole type that is extended.
  package var name: SourceSpan
  /// The indices of its attributes.
  package var attributes: Range<Int>
  package var modifiers: Modifiers
  /// The type whose members include it, by index.
  package var parent: Int?
  /// Whether a function, an accessor, a closure or a statement stands around it.
  package var isLocal: Bool
  /// Whether it has generic parameters, or extends a type written with generic arguments.
  package var isGeneric: Bool
  /// The innermost branch of `#if` around it, by index.
  package var branch: Int?
  /// From behind the name to the brace.
  package var header: SourceSpan
  /// Between the braces.
  package var body: SourceSpan

  /// Whether other files cannot see it.
  var isHidden: Bool { modifiers.contains(.private) || modifiers.contains(.fileprivate) }
}

/// An `import`.
package struct ImportDeclaration: Sendable {
  package var attributes: Range<Int>
  package var modifiers: Modifiers
  /// `A.B`, without the kind: of `import struct A.B` too.
  package var path: SourceSpan
  /// Whether a kind is named, so that the last part of the path is no module.
  package var hasKind: Bool
  package var branch: Int?
}

/// A `typealias` outside of functions.
package struct AliasDeclaration: Sendable {
  package var name: SourceSpan
  package var parent: Int?
  package var branch: Int?
  package var modifiers: Modifiers
  /// The aliased type if it is written as a path of names, which may have generic arguments; empty if not.
  package var target: SourceSpan
}

/// A static property of an extension of `LifecycleEvent`.
package struct MemberDeclaration: Sendable {
  package var name: SourceSpan
  package var modifiers: Modifiers
  package var parent: Int
  package var branch: Int?
}

/// A method with `@ModuleTask`.
package struct MethodDeclaration: Sendable {
  package var name: SourceSpan
  package var mark: AttributeDeclaration
  package var parent: Int
}

/// An annotation of a task that stands on a function, a variable or another thing that is no type.
struct MisplacedAnnotation: Sendable {
  var attribute: AttributeDeclaration
  /// What it stands on, by the word that declares it.
  var keyword: Keyword
  /// The type among whose members it stands, by index.
  var parent: Int?
  /// The innermost branch of `#if` around that, by index.
  var branch: Int?
}

/// An attribute of a type or an import.
package struct AttributeDeclaration: Sendable {
  /// Where the `@` stands.
  package var start: Int
  /// `EventTask`, `TaskKit.EventTask`, `TaskKit::EventTask`, `Wrapper<Int>`.
  package var name: SourceSpan
  /// Between the parentheses; nil without them.
  package var arguments: SourceSpan?
  /// The branch in which it stands: an attribute may be in an `#if` of its own.
  package var branch: Int?
}

/// One branch of an `#if`.
package struct ConditionBranch: Sendable {
  /// The branch around the `#if`.
  package var parent: Int?
  /// Tells one `#if` of the file from the others.
  package var group: Int
  /// 0 for `#if`, then counted up.
  package var number: Int
  /// The branch before it in the same `#if`.
  package var previous: Int?
  /// Empty for `#else`.
  package var condition: SourceSpan
}

/// The modifiers of a declaration.
package struct Modifiers: OptionSet, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  init(_ keyword: Keyword) {
    self.init(rawValue: 1 << UInt64(keyword.rawValue))
  }

  func contains(_ keyword: Keyword) -> Bool { contains(Modifiers(keyword)) }

  /// `public`, `package`, …; nil where no level is written.
  package var accessLevel: String? {
    if rawValue == 0 { return nil }
    for (keyword, name) in Self.accessLevels where contains(keyword) { return name }
    return nil
  }

  private static let accessLevels: [(Keyword, String)] = [
    (.open, "open"), (.public, "public"), (.package, "package"), (.internal, "internal"),
    (.fileprivate, "fileprivate"), (.private, "private"),
  ]

  /// As written in source, in a fixed order.
  package var names: [String] {
    Keyword.allCases.filter { $0.isModifier && contains($0) }.map { String(describing: $0) }
  }
}
