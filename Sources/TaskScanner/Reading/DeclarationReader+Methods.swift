extension DeclarationReader {
  /// `func name` among the members of a type, where a `@ModuleTask` stands before it.
  mutating func readMethod() -> Bool {
    let mark = scope.hasPending ? attributes[scope.firstAttribute...].first(where: isMark) : nil
    forgetPending()
    guard let mark, scope.kind == .members, let type = scope.type else { return false }
    advance()
    guard token.kind == .word || token.kind == .escapedWord else { return true }
    result.methods.append(MethodDeclaration(name: token.span, mark: mark, parent: type))
    return false
  }

  /// Whether the name of an attribute ends in `ModuleTask`.
  private func isMark(_ attribute: AttributeDeclaration) -> Bool {
    let mark: StaticString = "ModuleTask"
    let start = attribute.name.end - mark.utf8CodeUnitCount
    guard start >= attribute.name.start else { return false }
    for index in 0..<mark.utf8CodeUnitCount where lexer.bytes[start + index] != mark.utf8Start[index] { return false }
    return start == attribute.name.start || !lexer.tables.isWordPart[Int(lexer.bytes[start - 1])]
  }
}
