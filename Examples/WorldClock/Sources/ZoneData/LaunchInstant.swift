import TaskKit

/// The Unix time that counts as now, for everything that is worked out at launch.
///
/// Rides along in the `LaunchOptions`, so that `--at` and tests decide.
public enum LaunchInstant: SharedKey {
  public typealias Value = Int64
}
