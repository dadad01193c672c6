import TaskGraph

extension FileReader {
  static let kindAnnotation = "DurableTask"

  func isKind(_ attribute: AttributeDeclaration) -> Bool { annotationName(attribute) == Self.kindAnnotation }

  /// The types with `@DurableTask`.
  func kinds() -> [ScannedKind] {
    let imports = imports().map(\.name)
    return declarations.types.indices.flatMap { type in
      var kinds: [ScannedKind] = []
      for attribute in declarations.attributes[declarations.types[type].attributes] where isKind(attribute) {
        let kind = kind(attribute, of: type, imports: imports)
        // One for each branch of an `#if` around the annotations.
        if kinds.allSatisfy({ kind.type.excludes($0.type) }) { kinds.append(kind) }
      }
      return kinds
    }
  }

  private func kind(_ attribute: AttributeDeclaration, of type: Int, imports: [String]) -> ScannedKind {
    let value = AnnotationReader(attribute, in: self).value("kind")
    return ScannedKind(
      kind: value?.plainString, place: place(value?.span.start ?? attribute.start),
      type: annotatedType(attribute, of: type, imports: imports))
  }
}
