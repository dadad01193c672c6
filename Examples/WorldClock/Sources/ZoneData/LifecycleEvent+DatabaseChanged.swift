import TaskKit

extension LifecycleEvent<LaunchOptions, Void> {
  /// The files of the database may be other ones: the tasks that read them at launch read them again.
  ///
  /// It has the payload of the launch, so that the same tasks can belong to both.
  public nonisolated static var databaseChanged: Self { .init("databaseChanged", burst: .coalesce) }
}
