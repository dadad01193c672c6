extension [any ConstraintMonitor] {
  /// What TaskKit can find out about this machine: on Apple systems and Linux the network, on Linux mains power.
  public static var system: [any ConstraintMonitor] {
    #if os(Linux)
    [NetworkMonitor(), PowerMonitor()]
    #elseif canImport(Network)
    [NetworkMonitor()]
    #else
    []
    #endif
  }
}
