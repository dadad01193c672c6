#if TASKKIT_STAND_INS || os(iOS) || os(visionOS)
import Foundation
#if TASKKIT_STAND_INS
public import TaskKitDurable
#else
import UIKit
#endif

/// Whether the device has power from outside, from what UIKit says of its battery: one that is full counts as well.
///
/// From when it is first asked on, UIKit watches the battery for the whole program (`isBatteryMonitoringEnabled`). Where UIKit does
/// not know, as in a simulator, it is unknown.
public struct PowerMonitor: ConstraintMonitor {
  /// The device's own battery.
  public init() {}

  public var constraints: [Constraint] { [.charging] }

  public func states() -> AsyncStream<[Constraint: ConstraintState]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [Constraint: ConstraintState].self)
    let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Ends with the stream.
    let watch = Task { @MainActor in
      let device = UIDevice.current
      device.isBatteryMonitoringEnabled = true
      // First it is listened, then looked.
      let observer = NotificationCenter.default.addObserver(
        forName: UIDevice.batteryStateDidChangeNotification, object: nil, queue: nil
      ) { _ in changed.yield() }
      defer { NotificationCenter.default.removeObserver(observer) }
      continuation.yield([.charging: Self.state(of: device)])
      for await _ in changes { continuation.yield([.charging: Self.state(of: device)]) }
    }
    continuation.onTermination = { _ in watch.cancel() }
    return stream
  }

  @MainActor private static func state(of device: UIDevice) -> ConstraintState {
    switch device.batteryState {
    case .charging, .full: .satisfied
    case .unplugged: .unsatisfied
    default: .unknown
    }
  }
}
#elseif os(Linux)
import Foundation

/// Whether the machine runs on mains power, from what the kernel says of its power supplies.
///
/// A machine without a battery does. Where `/sys` does not say anything about supplies, or not what one of them is, it is
/// unknown, unless another one drives the machine.
public struct PowerMonitor: ConstraintMonitor {
  let directory: String

  /// The machine's own supplies, below `/sys/class/power_supply`.
  public init() { self.init(directory: "/sys/class/power_supply") }

  init(directory: String) { self.directory = directory }

  public var constraints: [Constraint] { [.charging] }

  public func states() -> AsyncStream<[Constraint: ConstraintState]> {
    // NETLINK_KOBJECT_UEVENT: a plug that goes in or out is a device that changes.
    KernelMessages(family: 15, groups: 1).states(label: "TaskKit.power") { [directory] in
      [.charging: Self.state(in: directory)]
    }
  }

  static func state(in directory: String) -> ConstraintState {
    guard let supplies = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return .unknown }
    func read(_ supply: String, _ file: String) -> String? {
      (try? String(contentsOfFile: "\(directory)/\(supply)/\(file)", encoding: .utf8))?
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    // Those of a mouse or a keyboard do not drive the machine.
    let ofMachine = supplies.filter { read($0, "scope") != "Device" }
    let types = ofMachine.map { (supply: $0, type: read($0, "type")) }
    // What is listed and cannot be read, in a sandbox for one, may be a battery.
    let isUnclear = types.contains { $0.type == nil }
    guard isUnclear || types.contains(where: { $0.type == "Battery" }) else { return .satisfied }
    let sources = types.filter { ["Mains", "USB", "Wireless"].contains($0.type) }
    // 1 for a fixed voltage, 2 for one that is settled with the charger.
    if sources.contains(where: { read($0.supply, "online").flatMap { Int($0) } ?? 0 > 0 }) { return .satisfied }
    return isUnclear || sources.isEmpty ? .unknown : .unsatisfied
  }
}
#endif
