extension LaunchOptions.Reason {
  /// What the state of a program at its launch says of that.
  ///
  /// Nothing where it has scenes: the state is theirs, and none is there yet, so that the system says of every launch that it
  /// is one in the background.
  ///
  /// - Parameter properties: the program's property list.
  package init(isInBackground: Bool, properties: [String: Any]) {
    let hasScenes = properties["UIApplicationSceneManifest"] != nil
    self = isInBackground && !hasScenes ? .background : .normal
  }
}
