import TaskGraph

extension FileReader {
  static let kindAnnotation = "DurableTask"

  func isKind(_ attribute: AttributeDeclaration) -> Bool {
    annotationName(attribute) == Self.kindAnnotation || isDurableSchedule(attribute)
  }

  /// `@ScheduleTask(…, durable: true)`: its occurrences are jobs.
  func isDurableSchedule(_ attribute: AttributeDeclaration) -> Bool {
    annotationName(attribute) == ScannedTask.Kind.schedule.rawValue
      && arguments(of: attribute).contains { label(of: $0) == "durable" }
  }

  /// The types whose values are jobs.
  func kinds() -> [ScannedKind] {
    let imports = imports()
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

  private func kind(_ attribute: AttributeDeclaration, of type: Int, imports: [ScannedModule.ImportedModule])
    -> ScannedKind
  {
    let type = annotatedType(attribute, of: type, imports: imports)
    let values = AnnotationReader(attribute, in: self)
    let durable = values.value("durable")
    let value = values.value(durable == nil ? "kind" : "name")
    return ScannedKind(
      kind: durable == nil ? value?.plainString : type.name, place: place(value?.span.start ?? attribute.start),
      durable: durable.map { place($0.span.start) }, type: type)
  }
}
