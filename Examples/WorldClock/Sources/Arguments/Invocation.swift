import Foundation
import TaskKit

/// What the command line asks for.
///
/// It is its own key, so that it can ride in the `LaunchOptions`: `options[Invocation.self]`.
public struct Invocation: SharedKey, Sendable, Hashable {
  public typealias Value = Invocation

  /// Zones, cities and countries, in the order in which they were given.
  public var queries: [String] = []
  /// The Unix time at which the clocks are read; nil means now.
  public var instant: Int64?
  /// The zone that the others are compared with.
  public var home: String?
  /// The link that leads to the zone of the machine; nil means `/etc/localtime`.
  public var zoneFile: String?
  /// Whether the output is for programs.
  public var isJSON = false
  /// Whether the clocks are shown until the program is told to end.
  public var isWatching = false
  /// The file that holds the number of the process while it watches.
  public var processFile: String?
  /// Where digests of the clocks are posted to.
  public var destination: URL?
  /// How many, an hour apart.
  public var digests = 1
  /// The file that keeps digests until they have arrived.
  public var outbox: String?
  /// Whether only the usage is asked for.
  public var isHelp = false

  public init() {}

  /// Reads the arguments behind the program's name.
  public init(arguments: some Sequence<String>) throws(UsageError) {
    var rest = Array(arguments)[...]
    var isOption = true
    while let argument = rest.popFirst() {
      let (name, attached) = Invocation.split(argument)
      func value() throws(UsageError) -> String {
        guard let value = attached ?? rest.popFirst() else { throw UsageError(description: "'\(name)' needs a value") }
        return value
      }
      switch isOption ? name : "" {
      case "--json" where attached == nil: isJSON = true
      case "--watch" where attached == nil: isWatching = true
      case "--pid-file": processFile = try value()
      case "--post": destination = try Invocation.destination(try value())
      case "--digests": digests = try Invocation.count(try value())
      case "--outbox": outbox = try value()
      case "--help" where attached == nil, "-h": isHelp = true
      case "--home": home = try value()
      case "--zone-file": zoneFile = try value()
      case "--at": instant = try Instant.parse(try value())
      case "--": isOption = false
      case let name where name.hasPrefix("-"):
        throw UsageError(description: "there is no option '\(argument)'; worldclock --help lists them")
      default:
        guard !argument.isEmpty else { throw UsageError(description: "an empty text is no zone") }
        queries.append(argument)
      }
    }
    if isWatching, isJSON { throw UsageError(description: "'--watch' has no end that '--json' could wait for") }
    if processFile != nil, !isWatching { throw UsageError(description: "'--pid-file' needs '--watch'") }
    if outbox != nil, isWatching || isJSON {
      throw UsageError(description: "'--outbox' posts digests, and shows no clocks")
    }
    if destination != nil, outbox == nil {
      throw UsageError(description: "'--post' needs '--outbox', a file that keeps digests until they have arrived")
    }
    if destination == nil, digests != 1 { throw UsageError(description: "'--digests' needs '--post'") }
    if outbox != nil, destination == nil, !queries.isEmpty {
      throw UsageError(description: "'--outbox' alone posts what is in it; to put '\(queries[0])' in, add '--post'")
    }
  }

  /// `--home=UTC` is `--home UTC`.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  private static func destination(_ text: String) throws(UsageError) -> URL {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil else {
      throw UsageError(
        description: "'\(text)' is no address to post to; write one such as http://localhost:8080/digests")
    }
    return url
  }

  private static func count(_ text: String) throws(UsageError) -> Int {
    guard let count = Int(text), (1...1000).contains(count) else {
      throw UsageError(description: "'\(text)' is no number from 1 to 1000")
    }
    return count
  }
}
