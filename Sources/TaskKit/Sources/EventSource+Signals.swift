import Foundation

extension EventSource {
  /// The signals of the process. See ``signals(backgroundDeadline:)``, here with five seconds.
  public nonisolated static var signals: EventSource { .signals(backgroundDeadline: .seconds(5)) }

  /// The signals of the process:
  ///
  /// - `SIGTERM`, and the first `SIGINT`: the center shuts down. A second `SIGINT` ends the process at once, with the exit
  ///   code 130, whatever it is busy with.
  /// - `SIGHUP`: ``LifecycleEvent/reload``.
  /// - `SIGTSTP`: ``LifecycleEvent/didEnterBackground``; when its tasks have ended, or at its deadline, the process really
  ///   stops (`SIGSTOP`), unless it was told to go on meanwhile, or shuts down by then, whoever has asked for that.
  /// - `SIGCONT`: the process goes on, and ``LifecycleEvent/willEnterForeground`` is sent.
  ///
  /// The handler does only what POSIX allows in one. A signal that has another handler, or that whoever started the
  /// process wants ignored (`nohup`), is left alone, and the source's report says so. After the shutdown the signals do again
  /// what they did before, also where a task of the background event has not returned.
  ///
  /// - Parameter backgroundDeadline: how long the tasks of the background event may take before the process stops.
  public nonisolated static func signals(backgroundDeadline: Duration) -> EventSource {
    EventSource("signals", outlivesShutdown: true) { sink in
      #if os(Windows)
      throw EventSourceUnavailable("there are no POSIX signals on Windows")
      #else
      let pipe = try SignalPipe()
      for note in pipe.notes { sink.note(note) }
      return {
        defer { pipe.end() }
        let source = SignalSource(sink: sink, backgroundDeadline: backgroundDeadline)
        await withTaskCancellationHandler {
          await source.listen(to: pipe.inputs) { pipe.freeze() }
        } onCancel: {
          // It still waits for the tasks of the background event, which may outlast the shutdown.
          pipe.end()
        }
      }
      #endif
    }
  }
}

#if !os(Windows)
/// Does what the signals mean, in their order.
struct SignalSource: Sendable {
  let sink: EventSink
  let backgroundDeadline: Duration

  /// - Parameter freeze: stops the process, and puts `thawed` into the stream between what came before that and after.
  func listen(to signals: AsyncStream<SignalMachine.Input>, freeze: () -> Void) async {
    let (inputs, continuation) = AsyncStream.makeStream(of: SignalMachine.Input.self)
    var machine = SignalMachine()
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await signal in signals { continuation.yield(signal) }
        continuation.finish()
      }
      for await input in inputs {
        switch machine.receive(input) {
        case nil: break
        case .terminate(let signal): sink.shutDown(because: signal.name)
        case .reload: sink.begin(.reload)
        case .enterBackground:
          // From now on, also where the program has sent the event itself, and that one does not end.
          let due = sink.center.now.later(by: backgroundDeadline.nanoseconds)
          group.addTask {
            _ = await sink.begin(.didEnterBackground, deadline: backgroundDeadline).report(by: due)
            continuation.yield(.enteredBackground)
          }
        case .freeze:
          // The deadline of a shutdown goes on while the process does not: what is still to be stopped would lose its time.
          if sink.center.isShuttingDown { _ = machine.receive(.shutdownBegun) } else { freeze() }
        case .enterForeground: sink.begin(.willEnterForeground)
        }
      }
      group.cancelAll()
    }
  }
}
#endif
