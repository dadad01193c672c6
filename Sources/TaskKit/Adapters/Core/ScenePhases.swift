/// How far each scene of a program is open, and what that makes of the program: it is as active as its most active scene.
package struct ScenePhases: Sendable {
  package enum Phase: Int, Sendable, Comparable {
    case background, inactive, active

    package static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  private var phases: [SceneIdentifier: Phase] = [:]

  package init() {}

  /// The program's own phase.
  package var program: Phase { phases.values.max() ?? .background }

  package subscript(scene: SceneIdentifier) -> Phase? { phases[scene] }

  /// Notes the phase of a scene; nil when it is gone.
  ///
  /// - Returns: what happened to the program by it, step by step.
  package mutating func note(_ phase: Phase?, of scene: SceneIdentifier) -> [LifecycleEvent<Void, Void>] {
    let before = program
    phases[scene] = phase
    let after = program
    var events: [LifecycleEvent<Void, Void>] = []
    if before == .background, after > .background { events.append(.willEnterForeground) }
    if before < .active, after == .active { events.append(.didBecomeActive) }
    if before == .active, after < .active { events.append(.willResignActive) }
    if before > .background, after == .background { events.append(.didEnterBackground) }
    return events
  }
}

extension CallbackBridge {
  private enum PhasesKey: SharedKey {
    typealias Value = ScenePhases
  }

  /// A scene has gone into another phase: an event of its own, and one of the program if that has changed by it.
  ///
  /// The program hears first when things open, the scene first when they close.
  ///
  /// - Parameter movesProgram: false where somebody else tells of the program.
  @MainActor package func tell(_ phase: ScenePhases.Phase?, of scene: SceneIdentifier, movesProgram: Bool = true) {
    // Only the main actor gets here, so nobody writes between the reading and the writing.
    var phases = center[PhasesKey.self] ?? ScenePhases()
    let old = phases[scene] ?? .background
    let program = phases.note(phase, of: scene)
    center[PhasesKey.self] = phases
    let opens = (phase ?? .background) > old
    let own = steps(of: scene, from: old, to: phase)
    // Also where other scenes are still open: they may be left while this one's tasks are at work.
    let isLeft = (phase ?? .background) == .background
    if !opens { for event in own { tell(event, scene, leavesForeground: isLeft) } }
    if movesProgram { for event in program { tell(event, (), leavesForeground: isLeft) } }
    if opens { for event in own { tell(event, scene) } }
  }

  private func steps(
    of scene: SceneIdentifier, from old: ScenePhases.Phase, to new: ScenePhases.Phase?
  ) -> [LifecycleEvent<SceneIdentifier, Void>] {
    var events: [LifecycleEvent<SceneIdentifier, Void>] = []
    let phase = new ?? .background
    if old == .background, phase > .background { events.append(.sceneWillEnterForeground) }
    if old < .active, phase == .active { events.append(.sceneDidBecomeActive) }
    if old == .active, phase < .active { events.append(.sceneWillResignActive) }
    if old > .background, phase == .background { events.append(.sceneDidEnterBackground) }
    if new == nil { events.append(.sceneDidDisconnect) }
    return events
  }
}
