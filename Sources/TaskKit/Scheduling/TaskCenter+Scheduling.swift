import Synchronization

extension TaskCenter {
  /// Lets schedules fire, and listens to notifications and sequences. Before, none of them comes; a second call does
  /// nothing.
  ///
  /// Intervals are counted from here. The center does not live for the sake of what may come: keep it. All of it ends
  /// with the center.
  public func start() {
    needsTime.store(true, ordering: .relaxed)
    let now = self.now
    let isFirst = receive { $0.start(now: now) }
    for companion in companions.withLock({ $0 }) { companion.centerStarted() }
    if isFirst { report(idle: items) }
  }

  /// Says which of them do nothing, though they should.
  func report(idle items: [any RegistryItem]) {
    for item in items { item.idleness(in: self).map(configuration.report) }
  }

  /// The calendar's clock or the time zone was set: what follows them is planned anew at once, not at the next look.
  ///
  /// The zone of the machine is read anew for that. Elsewhere than on Apple's systems nobody else does so in a process.
  public func clockDidChange() {
    time.followMachineZone()
    let instants = instants
    receive { $0.lookAtClock(instants) }
    callsFollowClock()
    for companion in companions.withLock({ $0 }) { companion.clockChanged() }
  }

  /// How a scheduled task stands.
  ///
  /// - Throws: ``TaskError`` if there is no such task, or if it has no schedule.
  public func schedule(of name: TaskName) throws -> ScheduleStatus {
    let instants = instants
    return try receive { try $0.scheduleStatus(of: $0.find(name), at: instants) }
  }

  /// How the scheduled task of a type stands. See ``schedule(of:)-(TaskName)``.
  public func schedule<Declared: LifecycleTask>(of type: Declared.Type) throws -> ScheduleStatus {
    try schedule(of: Declared.registration.name)
  }
}
