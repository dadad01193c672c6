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

  /// Notes a step of a scene, which also says where the scene was: steps before it may not have been heard.
  ///
  /// - Returns: what happened to the program by it, step by step.
  package mutating func note(_ step: SceneStep, of scene: SceneIdentifier) -> [LifecycleEvent<Void, Void>] {
    let known = phases[scene] ?? .background
    switch step {
    case .willEnterForeground: phases[scene] = .background
    case .didBecomeActive: phases[scene] = min(known, .inactive)
    case .willResignActive: phases[scene] = .active
    case .didEnterBackground: phases[scene] = max(known, .inactive)
    case .didDisconnect: break
    }
    return note(step.phase, of: scene)
  }
}

extension CallbackBridge {
  private enum PhasesKey: SharedKey {
    typealias Value = ScenePhases
  }

  /// A callback of a scene's delegate: the scene's own event, and those of the program that follow from it.
  ///
  /// The scene's own comes each time that the callback does. It does not follow from what was heard before, since the
  /// system calls only what somebody wants to hear.
  @MainActor package func tell(_ step: SceneStep, of scene: SceneIdentifier) {
    let program = changePhases { $0.note(step, of: scene) }
    tell([step], of: scene, program: program)
  }

  /// A scene has gone into another phase, which is all that SwiftUI says: events of its own, and of the program if that has
  /// changed by it.
  ///
  /// - Parameter movesProgram: false where somebody else tells of the program.
  @MainActor package func tell(_ phase: ScenePhases.Phase, of scene: SceneIdentifier, movesProgram: Bool = true) {
    let steps = SceneStep.steps(from: center[PhasesKey.self]?[scene] ?? .background, to: phase)
    let program = changePhases { $0.note(phase, of: scene) }
    tell(steps, of: scene, program: movesProgram ? program : [])
  }

  /// Only the main actor gets here, so nobody writes between the reading and the writing.
  @MainActor private func changePhases<Result>(_ change: (inout ScenePhases) -> Result) -> Result {
    var phases = center[PhasesKey.self] ?? ScenePhases()
    defer { center[PhasesKey.self] = phases }
    return change(&phases)
  }

  /// The program hears first when things open, the scene first when they close.
  @MainActor private func tell(
    _ steps: [SceneStep], of scene: SceneIdentifier, program: [LifecycleEvent<Void, Void>]
  ) {
    guard let last = steps.last else { return }
    if last.opens { for event in program { tell(event) } }
    // Also where other scenes are still open: they may be left while this one's tasks are at work. And from the first step
    // on: what that begins may be at work yet when the next one comes, or when nobody wants to hear of the next one.
    for step in steps { tell(step.event, scene, leavesForeground: !last.opens) }
    if !last.opens { for event in program { tell(event, (), leavesForeground: true) } }
  }
}
