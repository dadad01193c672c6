#if Durable && Postgres
import Foundation

enum CopyValue {
  case integer(Int64?)
  case text(String?)
  case blob(Data?)

  /// About how many bytes it takes.
  var size: Int {
    switch self {
    case .integer: 8
    case .text(let text): text?.utf8.count ?? 0
    case .blob(let data): data?.count ?? 0
    }
  }
}

/// How the rows of a table of the file become rows of the schema.
struct CopyStep {
  enum Kind {
    case integers
    case texts
    case blobs
  }

  let table: String
  /// What its rows are, for people.
  let what: String
  let types: [Kind]
  /// All of its rows, in no order.
  private let rows: String
  /// The columns by which they are read, in the order of an index: so it costs no more to go on than to begin.
  private let key: [String]
  /// The places of these columns among all.
  let keyPlaces: [Int]
  /// Each gets every column as an array.
  private(set) var inserts: [String]

  private init(
    _ table: String, _ what: String, _ types: [Kind], rows: String, key: [String], keyPlaces: [Int], inserts: [String]
  ) {
    self.table = table
    self.what = what
    self.types = types
    self.rows = rows
    self.key = key
    self.keyPlaces = keyPlaces
    self.inserts = inserts
  }

  /// Gets the key of the last row, if there is one, and how many are wanted.
  func select(isFirst: Bool) -> String {
    let columns = key.joined(separator: ", ")
    let places = key.map { _ in "?" }.joined(separator: ", ")
    return "\(rows)\(isFirst ? "" : " WHERE (\(columns)) > (\(places))") ORDER BY \(columns) LIMIT ?"
  }

  /// A table that has the same columns in both.
  private init(_ table: String, _ what: String, _ columns: [(name: String, type: Kind)], key: String...) {
    let names = columns.map(\.name).joined(separator: ", ")
    let arrays = columns.indices.map { place in
      switch columns[place].type {
      case .integers: "$\(place + 1)::bigint[]"
      case .texts: "$\(place + 1)::text[]"
      case .blobs: "$\(place + 1)::bytea[]"
      }
    }.joined(separator: ", ")
    // What is true or false is a number in the file.
    let values = columns.map {
      ["is_order", "is_open", "has_ended", "is_key"].contains($0.name) ? "\($0.name) <> 0" : $0.name
    }
    .joined(separator: ", ")
    self.init(
      table, what, columns.map(\.type), rows: "SELECT \(names) FROM \(table)", key: key,
      keyPlaces: key.map { column in columns.firstIndex { $0.name == column }! },
      inserts: ["INSERT INTO \(table) (\(names)) SELECT \(values) FROM unnest(\(arrays)) x (\(names))"])
  }

  static let all: [CopyStep] = [
    jobs,
    CopyStep(
      "taskkit_edge", "dependencies",
      [
        ("parent", .integers), ("child", .integers), ("place", .integers), ("is_order", .integers),
        ("is_open", .integers), ("result", .blobs),
      ], key: "parent", "child"),
    CopyStep(
      "taskkit_key", "unique keys",
      [("key", .texts), ("id", .integers), ("until", .integers), ("has_ended", .integers)], key: "key", "id"),
    CopyStep(
      "taskkit_occurrence", "occurrences of schedules",
      [("schedule", .texts), ("at", .integers), ("id", .integers)], key: "schedule", "at"),
    CopyStep(
      "taskkit_schedule", "schedules",
      [("name", .texts), ("begun", .integers), ("latest", .integers), ("count", .integers)], key: "name"),
    CopyStep(
      "taskkit_error", "errors of attempts",
      [
        ("id", .integers), ("place", .integers), ("attempt", .integers), ("date", .integers), ("cause", .texts),
        ("text", .texts),
      ], key: "id", "place"),
    CopyStep("taskkit_checkpoint", "checkpoints", [("id", .integers), ("data", .blobs)], key: "id"),
    CopyStep(
      "taskkit_step", "results of steps", [("id", .integers), ("name", .texts), ("result", .blobs)], key: "id", "name"),
    CopyStep(
      "taskkit_pause", "pauses",
      [("subject", .integers), ("name", .texts), ("by", .texts), ("since", .integers)], key: "subject", "name"),
    CopyStep(
      "taskkit_rate", "rates",
      [("is_key", .integers), ("name", .texts), ("count", .integers), ("period", .integers)], key: "is_key", "name"),
    starts,
  ]

  /// How many there are is written down with their rate, which comes before them.
  private static let starts: CopyStep = {
    var step = CopyStep(
      "taskkit_start", "starts that count for a rate",
      [("is_key", .integers), ("name", .texts), ("at", .integers), ("count", .integers)], key: "is_key", "name", "at")
    step.inserts.append(
      """
      UPDATE taskkit_rate r SET used = r.used + s.count FROM (
        SELECT x.is_key <> 0 AS is_key, x.name, sum(x.count) AS count
        FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) x (is_key, name, at, count) GROUP BY 1, 2) s
      WHERE r.is_key = s.is_key AND r.name = s.name
      """)
    return step
  }()

  /// A job and what has become of it are two rows in both; the shelf is found by what it is.
  private static let jobs: CopyStep = {
    let columns: [(name: String, value: String, type: Kind)] = [
      ("id", "j.id", .integers), ("queue", "q.text", .texts), ("kind", "k.text", .texts),
      ("created", "j.created", .integers), ("maximum_attempts", "j.maximum_attempts", .integers),
      ("maximum_crashes", "j.maximum_crashes", .integers), ("deadline", "j.deadline", .integers),
      ("needs", "j.needs", .texts), ("needs_until", "j.needs_until", .integers),
      ("unique_key", "j.unique_key", .texts), ("unique_period", "j.unique_period", .integers),
      ("limit_key", "j.limit_key", .texts), ("limit_count", "j.limit_count", .integers),
      ("parent_failure", "j.parent_failure", .integers), ("exhaustion", "j.exhaustion", .integers),
      ("keep_finished", "j.keep_finished", .integers), ("keep_failed", "j.keep_failed", .integers),
      ("tags", "j.tags", .texts), ("schedule", "j.schedule", .texts), ("occurrence", "j.occurrence", .integers),
      ("version", "j.version", .integers), ("payload", "j.payload", .blobs),
      ("shelf_needs", "f.needs", .texts), ("state", "coalesce(s.state, j.state)", .integers),
      (
        "flags",
        """
        coalesce(s.flags, j.flags)
          | (16 * EXISTS (SELECT 1 FROM taskkit_edge e WHERE e.parent = j.id AND e.is_open))
          | (32 * (j.unique_key IS NOT NULL)) | (64 * (j.limit_key IS NOT NULL))
          | (128 * (j.keep_finished IS NULL OR j.keep_finished > 0))
        """, .integers
      ),
      ("major", "~coalesce(s.major, j.major)", .integers), ("minor", "~coalesce(s.minor, j.minor)", .integers),
      ("attempts", "coalesce(s.attempts, 0)", .integers), ("crashes", "coalesce(s.crashes, 0)", .integers),
      ("due", "coalesce(s.due, j.due)", .integers), ("since", "coalesce(r.since, j.created)", .integers),
      (
        "relax_at", "CASE WHEN f.needs <> '' AND coalesce(s.shelf, j.shelf) = j.shelf THEN j.needs_until END", .integers
      ),
      ("ended", "s.ended", .integers), ("expiry", "s.expiry", .integers), ("hold", "CAST(s.hold AS TEXT)", .texts),
      ("result", "s.result", .blobs),
    ]
    let arrays = columns.indices.map { place in
      switch columns[place].type {
      case .integers: "$\(place + 1)::bigint[]"
      case .texts: "$\(place + 1)::text[]"
      case .blobs: "$\(place + 1)::bytea[]"
      }
    }.joined(separator: ", ")
    let rows = "unnest(\(arrays)) x (\(columns.map(\.name).joined(separator: ", ")))"
    func list(_ column: String) -> String { "ARRAY(SELECT jsonb_array_elements_text(nullif(x.\(column), '')::jsonb))" }
    return CopyStep(
      "taskkit_job", "jobs", columns.map(\.type),
      rows: """
        SELECT \(columns.map(\.value).joined(separator: ", ")) FROM taskkit_job j
        LEFT JOIN taskkit_state s ON s.id = j.id
        JOIN taskkit_shelf f ON f.id = coalesce(s.shelf, j.shelf)
        JOIN taskkit_name q ON q.id = j.queue JOIN taskkit_name k ON k.id = j.kind
        LEFT JOIN taskkit_ready r ON r.shelf = coalesce(s.shelf, j.shelf) AND r.major = ~coalesce(s.major, j.major)
          AND r.minor = ~coalesce(s.minor, j.minor) AND r.attempts = coalesce(s.attempts, 0) AND r.id = j.id
        """, key: ["j.id"], keyPlaces: [0],
      inserts: [
        """
        INSERT INTO taskkit_shelf (queue, kind, needs, is_limited, version)
        SELECT DISTINCT x.queue, x.kind, n.shelf, x.limit_key IS NOT NULL, taskkit_shelf_version(x.version) FROM \(rows), LATERAL (
          SELECT \(list("shelf_needs")) UNION SELECT '{}' WHERE x.needs_until IS NOT NULL) n (shelf)
        ON CONFLICT DO NOTHING
        """,
        """
        INSERT INTO taskkit_job
        SELECT x.id, x.queue, x.kind, x.created, x.maximum_attempts, x.maximum_crashes, x.deadline,
          nullif(\(list("needs")), '{}'), x.needs_until, x.unique_key, x.unique_period, x.limit_key, x.limit_count,
          x.parent_failure, x.exhaustion, x.keep_finished, x.keep_failed, nullif(\(list("tags")), '{}'), x.schedule,
          x.occurrence, x.version, x.payload
        FROM \(rows)
        """,
        """
        INSERT INTO taskkit_state (id, shelf, state, flags, major, minor, attempts, crashes, due, since, relax_at, ended,
          expiry, hold, result, lane)
        SELECT x.id, f.id, x.state, x.flags, x.major, x.minor, x.attempts, x.crashes, x.due, x.since, x.relax_at,
          x.ended, x.expiry, x.hold::jsonb, x.result, taskkit_lane(x.limit_key, x.limit_count)
        FROM \(rows) JOIN taskkit_shelf f ON f.queue = x.queue AND f.kind = x.kind AND f.needs = \(list("shelf_needs"))
          AND f.is_limited = (x.limit_key IS NOT NULL) AND f.version = taskkit_shelf_version(x.version)
        """,
      ])
  }()
}
#endif
