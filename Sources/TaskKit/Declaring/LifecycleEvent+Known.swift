// The moments of RWTaskKit (R11). Its two reserved ones are replaced by own events, which take one line each (R15).

extension LifecycleEvent where Payload == LaunchOptions, Reply == Void {
  /// The program is being launched and shows nothing yet. Once per center.
  ///
  /// iOS and macOS: `application(_:willFinishLaunchingWithOptions:)`, `applicationWillFinishLaunching(_:)`.
  /// Linux and command-line tools: the first thing that `main` sends.
  public nonisolated static var willFinishLaunching: Self { .init("willFinishLaunching", once: true) }

  /// The launch is complete; the program is about to go to work. Once per center, after ``willFinishLaunching``.
  ///
  /// iOS and macOS: `application(_:didFinishLaunchingWithOptions:)`, `applicationDidFinishLaunching(_:)`.
  /// Linux and command-line tools: sent by `main` when the essentials are there.
  public nonisolated static var didFinishLaunching: Self { .init("didFinishLaunching", once: true) }
}

extension LifecycleEvent where Payload == Void, Reply == Void {
  /// The program is about to be visible again.
  ///
  /// iOS: a scene or the app will enter the foreground. macOS: the app will be unhidden. Linux: the process continues
  /// after a stop (`SIGCONT`).
  public nonisolated static var willEnterForeground: Self { .init("willEnterForeground") }

  /// The program is no longer visible and may be suspended.
  ///
  /// iOS: a scene or the app did enter the background; what is at work has the system's time, and is cancelled at its end.
  /// macOS: the app was hidden. Linux: the process is asked to stop
  /// (`SIGTSTP`).
  public nonisolated static var didEnterBackground: Self { .init("didEnterBackground") }

  /// The program receives input again.
  ///
  /// iOS and macOS: the app or a scene became active. Linux: a server starts to accept work.
  public nonisolated static var didBecomeActive: Self { .init("didBecomeActive") }

  /// The program is about to stop receiving input.
  ///
  /// iOS and macOS: a call comes in, the app switcher opens, another app comes to the front. Linux: a server is
  /// about to refuse work.
  public nonisolated static var willResignActive: Self { .init("willResignActive") }

  /// Memory is short: give back what can be made again.
  ///
  /// iOS: the app's memory warning. macOS: a memory pressure source. Linux: pressure stall information, or the limit
  /// of the control group.
  public nonisolated static var didReceiveMemoryWarning: Self { .init("didReceiveMemoryWarning") }

  /// The program is about to end. Nothing can come later.
  ///
  /// iOS and macOS: `applicationWillTerminate(_:)`. Linux: `SIGTERM` or `SIGINT`.
  public nonisolated static var willTerminate: Self { .init("willTerminate") }

  /// The time changed by more than its passing: midnight, a new time zone, a new clock.
  ///
  /// iOS: `applicationSignificantTimeChange(_:)`. macOS: the day, clock and time zone notifications. Linux: a clock
  /// that was set, a zone file that was replaced.
  public nonisolated static var significantTimeChange: Self { .init("significantTimeChange") }

  /// The person allowed or forbade background refresh.
  ///
  /// iOS only. On macOS and Linux nothing sends it by itself.
  public nonisolated static var backgroundRefreshStatusDidChange: Self { .init("backgroundRefreshStatusDidChange") }

  /// The person took a screenshot.
  ///
  /// iOS only. On macOS and Linux nothing sends it by itself.
  public nonisolated static var userDidTakeScreenshot: Self { .init("userDidTakeScreenshot") }

  /// The program is asked to read its configuration again.
  ///
  /// macOS and Linux: `SIGHUP` (``EventSource/signals``). iOS: nothing sends it by itself.
  public nonisolated static var reload: Self { .init("reload", burst: .coalesce) }

  /// No task is running and nothing is due for a while: the time for work that should disturb nobody.
  ///
  /// On iOS, macOS and Linux alike: ``EventSource/idle(after:)``, or the program itself when it has nothing else to do.
  public nonisolated static var idle: Self { .init("idle") }
}

extension LifecycleEvent where Payload == OpenURLRequest, Reply == Bool {
  /// The program is asked to open a URL; a task answers whether it did. True when one of them did (E9).
  ///
  /// iOS: `application(_:open:options:)` and the scene's form. macOS: `application(_:open:)`. Linux: an argument, or a
  /// message from a second instance.
  public nonisolated static var openURL: Self { .init("openURL", reply: .any) }
}

extension LifecycleEvent where Payload == InterfaceTurn, Reply == Void {
  /// The interface is about to turn; the payload is the orientation to come, and how long that takes.
  ///
  /// iOS only. On macOS and Linux nothing sends it by itself.
  public nonisolated static var willChangeStatusBarOrientation: Self { .init("willChangeStatusBarOrientation") }
}

extension LifecycleEvent where Payload == InterfaceOrientation, Reply == Void {
  /// The interface has turned; the payload is the orientation that was left.
  ///
  /// iOS only. On macOS and Linux nothing sends it by itself.
  public nonisolated static var didChangeStatusBarOrientation: Self { .init("didChangeStatusBarOrientation") }
}

/// Which way up the interface is.
public enum InterfaceOrientation: String, Sendable, Hashable, CaseIterable, Codable {
  /// The system does not say.
  case unknown
  /// Upright.
  case portrait
  /// Upright, with the top below.
  case portraitUpsideDown
  /// On its side, in the system's word for this one of the two.
  case landscapeLeft
  /// On its side, the other way.
  case landscapeRight
}
