import Foundation
public import TaskKit

/// What the declaration of a kind says, as a value: the first stage of the way from annotation to a running job.
public struct DurableRegistration: Sendable, RegistryItem {
  /// What the kind is called in the store, for ever.
  public let kind: String
  /// Where the annotation stands, or the call that declares the kind.
  public let location: TaskLocation
  /// The Swift type, for people: only ``kind`` is stored.
  public let typeName: String
  /// The queue of jobs that are enqueued without another one.
  public let queue: String
  /// Which of the center's stores keeps the jobs; nil for the first.
  public let store: String?
  /// How many of the kind run at a time in this process, of each store.
  public let limit: Int?
  /// What has to hold, if the call does not say otherwise.
  public let requires: [Constraint]
  /// Whether a running attempt is cancelled when something no longer holds that the job requires.
  public let cancelsWhenLost: Bool
  /// When jobs of it are made; nil where only the program does.
  public let schedule: TaskSchedule?

  /// Makes the job of an occurrence.
  let scheduledJob: (@Sendable () -> any DurableTask)?
  let type: ObjectIdentifier
  let retention: JobRetention
  /// After how long of waiting ``requires`` no longer holds a job up; nil: it always does.
  let requiresFor: Duration?
  /// What makes no sense about the declaration.
  let problems: [DurableError]
  /// Puts together what the kind and the call say.
  let newJob: @Sendable (any DurableTask, EnqueueOptions) throws -> NewJob
  /// Reads the payload and gets ready to run it.
  package let load: @Sendable (JobPayload) throws -> any DurableTask
  /// Why this build reads no payload of a version; nil where it does.
  let versionProblem: @Sendable (Int) -> String?
  let run: @concurrent @Sendable (any DurableTask, DurableContext) async throws -> Data?
  let delay: @Sendable (_ failures: Int, any Error, _ chance: Double) -> Duration
  let didGiveUp: @Sendable (any DurableTask, DurableFailure) async -> Void
  let didGiveUpUnreadable: @Sendable (JobPayload, DurableFailure) async -> Void

  /// For the macro's output only. What `run` returns is what children and ``JobSnapshot/result`` get.
  ///
  /// - Parameter collected: read so that the compiler warns where the build plugin did not list the type.
  public init<Job: DurableTask, Result: Codable & Sendable>(
    __kind kind: String, type: Job.Type, collected: Void, at place: (file: String, line: Int, column: Int),
    options: JobOptions<Job> = JobOptions(), schedule: JobSchedule<Job>? = nil,
    output: @escaping @concurrent @Sendable (Job, DurableContext) async throws -> Result
  ) {
    self.init(
      kind: kind, type: type, at: TaskLocation(place.file, place.line, place.column), options: options,
      schedule: schedule
    ) { job, context in
      try JobCoding.encode(await output(job, context))
    }
  }

  /// For the macro's output only.
  ///
  /// - Parameter collected: read so that the compiler warns where the build plugin did not list the type.
  public init<Job: DurableTask>(
    __kind kind: String, type: Job.Type, collected: Void, at place: (file: String, line: Int, column: Int),
    options: JobOptions<Job> = JobOptions(), schedule: JobSchedule<Job>? = nil,
    run: @escaping @concurrent @Sendable (Job, DurableContext) async throws -> Void
  ) {
    self.init(
      kind: kind, type: type, at: TaskLocation(place.file, place.line, place.column), options: options,
      schedule: schedule
    ) { job, context in
      try await run(job, context)
      return nil
    }
  }

  private init<Job: DurableTask>(
    kind: String, type: Job.Type, at location: TaskLocation, options: JobOptions<Job>, schedule: JobSchedule<Job>?,
    run: @escaping @concurrent @Sendable (Job, DurableContext) async throws -> Data?
  ) {
    self.kind = kind
    self.location = location
    self.type = ObjectIdentifier(type)
    typeName = "\(type)"
    queue = options.queue
    store = options.store
    limit = options.limit
    requires = options.requires
    cancelsWhenLost = options.cancelsWhenLost
    self.schedule = schedule?.schedule
    scheduledJob = schedule?.job
    retention = options.retention
    requiresFor = options.requiresFor
    let problems = options.problems(of: kind, at: location)
    self.problems = problems
    newJob = { job, call in
      if let problem = DurableError.all(problems + call.problems(of: kind)) { throw problem }
      return try options.newJob(Self.typed(job), kind: kind, call)
    }
    load = { try JobCoding.load(type, from: $0) }
    versionProblem = { JobCoding.problem(ofVersion: $0, of: type) }
    self.run = { try await run(Self.typed($0), $1) }
    delay = options.backoff.delay
    didGiveUp = { await Job.didGiveUp(Self.typed($0), $1) }
    didGiveUpUnreadable = { await Job.didGiveUp(unreadable: $0, $1) }
  }

  package func idleness(in center: TaskCenter) -> String? {
    guard schedule != nil, center.companion(as: JobRuntime.self) == nil else { return nil }
    return "the durable schedule '\(kind)' (\(location)) makes no jobs: \(DurableError.noStores)"
  }

  private static func typed<Job: DurableTask>(_ job: any DurableTask) -> Job {
    guard let job = job as? Job else {
      // Values come from `load` of the same registration, or were looked up by their type.
      preconditionFailure("a job of type \(Swift.type(of: job)) was given to \(Job.self)")
    }
    return job
  }
}

extension DurableRegistration: CustomStringConvertible {
  public var description: String { "\(kind) in queue \(queue), \(typeName) (\(location))" }
}
