import TaskGraph

extension AnnotationChecks {
  /// A type with `@DurableTask`, or with a schedule that is durable.
  mutating func check(durable index: Int, _ attribute: AttributeDeclaration, isFirst: Bool) {
    let type = file.declarations.types[index]
    guard type.kind.isNominal else {
      report(.notAJob(file.annotationName(attribute), at: file.place(attribute.start)))
      return
    }
    if isFirst { checkVisibility(of: index) }
    guard !file.isDurableSchedule(attribute) else { return checkOptions(.schedule, attribute) }
    guard let value = AnnotationReader(attribute, in: file).value("kind") else {
      report(.noKind(file.annotationName(attribute), at: file.place(attribute.start)))
      return
    }
    switch value.plainString?.allSatisfy(\.isWhitespace) {
    case nil: report(.kindIsNotLiteral(at: place(value.span)))
    case true?: report(.emptyKind(at: place(value.span)))
    case false?: break
    }
  }
}
