import Foundation

/// What this machine calls itself.
enum HostName {
  /// Asked of the kernel: Foundation's asks the network, which may take seconds.
  static let current: String = {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()
}
