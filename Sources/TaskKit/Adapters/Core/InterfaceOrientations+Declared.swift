extension InterfaceOrientations {
  /// Those that a program's property list declares; every one where it declares none, as the system takes it.
  package init(declaredIn properties: [String: Any]) {
    let names = properties["UISupportedInterfaceOrientations"] as? [String] ?? []
    let declared = names.reduce(into: InterfaceOrientations()) { all, name in
      switch name {
      case "UIInterfaceOrientationPortrait": all.insert(.portrait)
      case "UIInterfaceOrientationPortraitUpsideDown": all.insert(.portraitUpsideDown)
      case "UIInterfaceOrientationLandscapeLeft": all.insert(.landscapeLeft)
      case "UIInterfaceOrientationLandscapeRight": all.insert(.landscapeRight)
      default: break
      }
    }
    self = declared.isEmpty ? .all : declared
  }
}
