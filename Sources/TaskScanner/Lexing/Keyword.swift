/// The words that mean something to the lexer or to the reader of declarations.
enum Keyword: UInt8, CaseIterable {
  // Types.
  case `struct`, `enum`, `class`, `actor`, `protocol`, `extension`
  // Other declarations.
  case `typealias`, `import`, `var`, `let`, `func`, `operator`
  // Modifiers that are reserved.
  case `public`, `private`, `fileprivate`, `internal`, `static`
  // Modifiers that are ordinary names elsewhere.
  case open, package, final, nonisolated, indirect, distributed, dynamic, override, required, convenience, lazy, weak
  case unowned, mutating, nonmutating, optional, prefix, postfix, infix, isolated, async, consuming, borrowing
  case __consuming, _const, _local, __setter_access, reasync, sending
  // Other reserved words.
  case anyType, `as`, `associatedtype`, `break`, `case`, `catch`, `continue`, `default`, `defer`, `deinit`, `do`, `else`
  case `fallthrough`, `false`, `for`, `guard`, `if`, `in`, `init`, `inout`, `is`, `nil`, `precedencegroup`, `repeat`
  case `rethrows`, `return`, selfValue, selfType, `subscript`, `super`, `switch`, `throw`, `throws`, `true`, `try`
  case `where`, `while`
  // A name that matters in an event's accessor.
  case get

  /// The keyword that a word is, if any.
  init?(of token: Token, in bytes: UnsafePointer<UInt8>) {
    guard let keyword = KeywordTable.shared.find(bytes + token.start, length: token.end - token.start) else {
      return nil
    }
    self = keyword
  }

  fileprivate var text: String {
    switch self {
    // `self` cannot be the name of a case.
    case .anyType: "Any"
    case .selfValue: "self"
    case .selfType: "Self"
    default: String(describing: self)
    }
  }

  var isTypeKeyword: Bool { rawValue <= Keyword.extension.rawValue }

  /// Never a name without backticks.
  var isReserved: Bool {
    switch self {
    case .actor, .get: false
    default: !isContextualModifier
    }
  }

  /// A reserved word that stands for a value or a type, so that a binary operator may follow.
  var isOperand: Bool {
    switch self {
    case .true, .false, .anyType, .nil, .selfValue, .selfType, .super: true
    default: false
    }
  }

  var isModifier: Bool {
    rawValue >= Keyword.public.rawValue && rawValue <= Keyword.sending.rawValue
  }

  /// A modifier that can be the name of anything too.
  var isContextualModifier: Bool {
    rawValue >= Keyword.open.rawValue && rawValue <= Keyword.sending.rawValue
  }

  /// A modifier that may be followed by something in parentheses: `private(set)`. `open(file)` is a call.
  var mayHaveDetail: Bool {
    switch self {
    case .public, .private, .fileprivate, .internal, .package, .nonisolated, .unowned: true
    default: false
    }
  }
}

/// Finds keywords by their bytes. Lives as long as the process.
struct KeywordTable {
  private struct Entry {
    var text: UnsafePointer<UInt8>
    var length: Int
    var keyword: Keyword
  }

  // Written once, before the first reader gets it, and never again.
  nonisolated(unsafe) static let shared = KeywordTable()

  /// The index of the first entry to look at, plus 1, by hash; 0 where there is none.
  private let slots: UnsafePointer<UInt8>
  private let entries: UnsafePointer<Entry>

  private init() {
    let slots = UnsafeMutablePointer<UInt8>.allocate(capacity: 512)
    slots.initialize(repeating: 0, count: 512)
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: Keyword.allCases.count)
    for (index, keyword) in Keyword.allCases.enumerated() {
      let name = Array(keyword.text.utf8)
      let text = UnsafeMutablePointer<UInt8>.allocate(capacity: name.count)
      text.initialize(from: name, count: name.count)
      (entries + index).initialize(to: Entry(text: UnsafePointer(text), length: name.count, keyword: keyword))
      var slot = Self.hash(text, name.count)
      while slots[slot] != 0 { slot = (slot + 1) & 511 }
      slots[slot] = UInt8(index + 1)
    }
    self.slots = UnsafePointer(slots)
    self.entries = UnsafePointer(entries)
  }

  private static func hash(_ word: UnsafePointer<UInt8>, _ length: Int) -> Int {
    (Int(word[0]) &* 41 &+ Int(word[length - 1]) &* 7 &+ Int(word[1]) &* 19 &+ length &* 3) & 511
  }

  func find(_ word: UnsafePointer<UInt8>, length: Int) -> Keyword? {
    guard length >= 2 && length <= 15 else { return nil }
    var slot = Self.hash(word, length)
    while slots[slot] != 0 {
      let entry = entries + (Int(slots[slot]) - 1)
      if entry.pointee.length == length {
        var index = 0
        while index < length && word[index] == entry.pointee.text[index] { index += 1 }
        if index == length { return entry.pointee.keyword }
      }
      slot = (slot + 1) & 511
    }
    return nil
  }
}
