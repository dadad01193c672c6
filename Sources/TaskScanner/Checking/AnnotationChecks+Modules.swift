import TaskGraph

extension AnnotationChecks {
  /// A class or an actor with `@TaskModule`, and the marks on its methods.
  mutating func check(module index: Int, _ attribute: AttributeDeclaration, isFirst: Bool) {
    let type = file.declarations.types[index]
    guard type.kind.isNominal else {
      report(.notAModule(file.annotationName(attribute), but: type.kind.noun, at: file.place(attribute.start)))
      return
    }
    guard type.kind == .class || type.kind == .actor else {
      report(.moduleIsNotAnObject(name(type), kind: type.kind, at: file.place(attribute.start)))
      return
    }
    if isFirst { checkVisibility(of: index) }
    for argument in file.arguments(of: attribute) {
      let value = expression(argument)
      switch file.label(of: argument) {
      case "name": checkName(value)
      case "dependencies": checkDependencies(value)
      case "creation":
        let ways = ["whenNeeded", "atLaunch", "byRegistering"]
        if !ways.contains(value.memberPath?.last ?? "") {
          report(.creationIsNotMember(value.quotation, at: place(value.span)))
        }
      default: break
      }
    }
    guard isFirst else { return }
    for method in file.declarations.methods where method.parent == index { checkOptions(.event, method.mark) }
  }
}
