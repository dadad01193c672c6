/// The bodies of a graph's tasks: the same values for every engine.
struct Work: Sendable {
  /// A synchronous body.
  struct Body: Sendable {
    let run: @Sendable () throws -> Void
    /// The same as the function that a macro refers to. Converted from `run` it would be a function that calls another:
    /// two places in memory to go to instead of one.
    let registered: @Sendable @isolated(any) () throws -> Void

    init(run: @escaping @Sendable () throws -> Void) {
      self.init(run: run, registered: run)
    }

    init(run: @escaping @Sendable () throws -> Void, registered: @escaping @Sendable @isolated(any) () throws -> Void) {
      self.run = run
      self.registered = registered
    }
  }

  /// An asynchronous body.
  struct AsyncBody: Sendable {
    let run: @concurrent @Sendable () async throws -> Void
  }

  /// What the bodies count into; nil for those that count otherwise.
  let cells: Cells?
  /// By task, in the order of declaration.
  let bodies: [Body]
  /// Instead of the synchronous ones, which stay for the plain loop to compare with. Empty where there are none.
  let asyncBodies: [AsyncBody]

  init(cells: Cells? = nil, bodies: [Body] = [], asyncBodies: [AsyncBody] = []) {
    self.cells = cells
    self.bodies = bodies
    self.asyncBodies = asyncBodies
  }

  var isAsynchronous: Bool { !asyncBodies.isEmpty }

  /// Bodies that count themselves and do nothing else.
  static func empty(_ count: Int) -> Work {
    let cells = Cells(count: count)
    return Work(cells: cells, bodies: counting(in: cells))
  }

  /// Asynchronous bodies that do not suspend, and synchronous ones that do the same.
  static func emptyAsync(_ count: Int) -> Work {
    let cells = Cells(count: count)
    let asyncBodies = (0..<count).map { task in
      let cell = cells.cell(task)
      return AsyncBody { cell.pointer.pointee &+= 1 }
    }
    return Work(cells: cells, bodies: counting(in: cells), asyncBodies: asyncBodies)
  }

  /// Asynchronous bodies that suspend once.
  static func yielding(_ count: Int) -> Work {
    let cells = Cells(count: count)
    let asyncBodies = (0..<count).map { task in
      let cell = cells.cell(task)
      return AsyncBody {
        await Task.yield()
        cell.pointer.pointee &+= 1
      }
    }
    return Work(cells: cells, asyncBodies: asyncBodies)
  }

  /// Bodies that keep a core busy.
  static func spinning(_ count: Int, _ spin: Spin) -> Work {
    let cells = Cells(count: count)
    let bodies = (0..<count).map { task in
      let cell = cells.cell(task)
      let body: @Sendable () -> Void = {
        // Never zero, which only the machine knows.
        cell.pointer.pointee &+= spin.run(from: UInt64(bitPattern: Int64(cell.pointer.pointee)) + 1) == 0 ? 0 : 1
      }
      return Body(run: body)
    }
    return Work(cells: cells, bodies: bodies)
  }

  private static func counting(in cells: Cells) -> [Body] {
    let registered = (0..<cells.count).map { task in
      let cell = cells.cell(task)
      return Registered { cell.pointer.pointee &+= 1 }
    }
    return registered.enumerated().map { task, registered in
      let cell = cells.cell(task)
      return Body(run: { cell.pointer.pointee &+= 1 }, registered: registered.run)
    }
  }

  private struct Registered {
    let run: @Sendable @isolated(any) () throws -> Void
  }
}
