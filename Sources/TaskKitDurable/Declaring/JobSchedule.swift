public import TaskKit

/// When jobs of a kind are made: each occurrence of the schedule is one job, written down together with it.
public struct JobSchedule<Job: DurableTask>: Sendable {
  let schedule: TaskSchedule
  let job: @Sendable () -> Job

  /// For the macro's output only.
  public init(__schedule schedule: TaskSchedule, job: @escaping @Sendable () -> Job) {
    self.schedule = schedule
    self.job = job
  }
}
