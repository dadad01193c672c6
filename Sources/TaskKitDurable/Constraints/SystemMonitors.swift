extension [any ConstraintMonitor] {
  /// What TaskKit can find out about this machine: on Apple systems and Linux the network, on Linux, iOS and visionOS power from
  /// outside.
  public static var system: [any ConstraintMonitor] {
    #if os(Linux) || os(iOS) || os(visionOS)
    [NetworkMonitor(), PowerMonitor()]
    #elseif canImport(Network)
    [NetworkMonitor()]
    #else
    []
    #endif
  }
}
