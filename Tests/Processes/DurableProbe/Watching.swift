#if os(Linux) && Durable
import Foundation
import ProcessTesting
import TaskKitDurable

/// Changes the network of its own namespace, and says what the monitors of the machine tell of that.
enum Watching {
  /// What `ip` does after each change that was told: each list leads to another one.
  private static var commands: [[String]] {
    (ProcessInfo.processInfo.environment["PROBE_COMMANDS"] ?? "").split(separator: "\n").map { line in
      line.split(separator: ";").map(String.init)
    }
  }

  /// Not with Foundation's `Process`: that waits by way of the loopback, which is down in a new namespace.
  private static func ip(_ arguments: String) {
    let words = ["ip"] + arguments.split(separator: " ").map(String.init)
    let texts = words.map { strdup($0) } + [nil]
    let noVariables: [UnsafeMutablePointer<CChar>?] = [nil]
    defer { for text in texts { free(text) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, "ip", nil, nil, texts, noVariables)
    precondition(code == 0, "'ip' cannot be run: \(code)")
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    precondition(status == 0, "'ip \(arguments)' has failed: \(status)")
  }

  static func watch() async {
    // Who hears of nothing does not wait for ever.
    alarm(20)
    var powers = PowerMonitor().states().makeAsyncIterator()
    history.note("power", await powers.next()?[.charging]?.rawValue ?? "over")
    var last: ConstraintState?
    var left = commands[...]
    for await state in NetworkMonitor().states() {
      guard let network = state[.network], network != last else { continue }
      history.note("network", network.rawValue)
      last = network
      guard let next = left.popFirst() else { break }
      for arguments in next { ip(arguments) }
    }
    // What the devices have told meanwhile has been kept.
    history.note("power", await powers.next()?[.charging]?.rawValue ?? "over")
  }
}
#endif
