import Foundation

let usage = """
  usage: taskkit-migrate FILE ADDRESS [--schema NAME] [--dry-run]

  Moves the jobs of an SQLite file into a PostgreSQL schema that has none, with their ids. Every program that uses the file
  or the schema has to be stopped. All of it happens in one transaction, and only if everything has arrived. Before that is
  committed the file is marked, and nobody can use it any more; if the end is not heard of, do the same again.

    FILE             the store's file; afterwards it is called FILE.moved. One that has other tables, too, stays where it
                     is, with the jobs marked as moved, so that no store opens them any more
    ADDRESS          postgresql://user@host/database, or what libpq calls a connection string
    --schema NAME    where the jobs go to; 'public' if it is not said
    --dry-run        does it all and takes it back, and says what would be moved
  """

func fail(_ text: String, _ code: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data("error: \(text)\n".utf8))
  exit(code)
}

#if Durable && Postgres
var places: [String] = []
var schema = "public"
var isTrial = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--help", "-h":
    print(usage)
    exit(0)
  case "--dry-run": isTrial = true
  case "--schema":
    guard let name = arguments.popFirst(), !name.isEmpty else { fail("--schema needs a name\n\(usage)", 2) }
    schema = name
  case _ where argument.hasPrefix("-"): fail("there is no option '\(argument)'\n\(usage)", 2)
  default: places.append(argument)
  }
}
guard places.count == 2 else { fail("a file and an address are needed\n\(usage)", 2) }
// There may be a password in it: it is not repeated as the name of a file.
guard !places[0].hasPrefix("postgresql://"), !places[0].hasPrefix("postgres://") else {
  fail("the file comes first, and the address behind it\n\(usage)", 2)
}
do {
  let move = Move(file: places[0], address: places[1], schema: schema)
  let outcome = try await move.run(isTrial: isTrial)
  print(isTrial ? "Would move:" : "Moved:")
  for (what, count) in outcome.moved { print("  \(count) \(what)") }
  let others = outcome.others.joined(separator: ", ")
  if isTrial {
    if !others.isEmpty { print("The file would stay where it is, since it has other tables: \(others).") }
    print("Nothing was changed.")
  } else if !others.isEmpty {
    print(
      "The file stays where it is, since it has other tables: \(others). Its jobs are marked as moved, and no store opens "
        + "them any more.")
  } else if let trouble = outcome.trouble {
    print(
      "The file is still called \(move.path), since it could not be renamed: \(trouble). Nobody can use it any more.")
  } else {
    print("The file is kept as \(move.path).moved")
  }
} catch {
  fail("\(error)")
}
#else
fail("this build has no stores: build it with the traits 'Durable' and 'Postgres'")
#endif
