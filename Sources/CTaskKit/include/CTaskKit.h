// What TaskKit needs of the system and Swift cannot express: a signal handler that does nothing but what POSIX allows in
// one, what Linux' C library and Foundation do not show to Swift, and a variable of each thread.

#ifndef CTASKKIT_H
#define CTASKKIT_H

/// What runs a synchronous body on the calling thread; null where none runs. Only `taskkit_exchange_worker` is to change it.
extern _Thread_local void *taskkit_worker_of_thread;

static inline void *taskkit_worker(void) { return taskkit_worker_of_thread; }

/// Sets it, and returns what it was before.
static inline void *taskkit_exchange_worker(void *worker) {
  void *before = taskkit_worker_of_thread;
  taskkit_worker_of_thread = worker;
  return before;
}

/// Keeps the compiler from moving accesses to memory across it. The processor may still.
static inline void taskkit_order_for_compiler(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

#if defined(__linux__)

/// Prepares `taskkit_order_everywhere`; 0 if the system has it.
int taskkit_prepare_order_everywhere(void);

/// Every thread of the process passes a full memory barrier before it returns.
void taskkit_order_everywhere(void);

#endif

#if !defined(_WIN32)

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/inotify.h>
#endif

/// Begins to run the main thread's run loop in turns that other threads can end; called on that thread.
///
/// Returns what the following functions are called with; null where the system has no run loop.
void *taskkit_begin_main_turns(void);

/// Ends the turn that is going, or else the next one at once; called on any thread.
void taskkit_end_main_turn(void *turns);

/// No further turn is run; called on the main thread.
void taskkit_end_main_turns(void *turns);

/// Lets go of it; called on any thread, once.
void taskkit_free_main_turns(void *turns);

/// Makes a pipe that no child process inherits; 0 if there is one.
int taskkit_pipe(int ends[2]);

/// Writes the number of every signal taken with `taskkit_take_signal` to a descriptor, one byte each; false if they go to
/// another one, which keeps them.
///
/// A second SIGINT after this call ends the process at once, with the exit code 130: from the handler, so that it does
/// whatever the rest of the process is busy with.
bool taskkit_begin_signals(int descriptor);

/// Ends that, for whoever has begun it.
void taskkit_end_signals(void);

/// What became of a request for a signal.
enum taskkit_signal_answer {
  taskkit_signal_taken,
  /// Whoever started the process wants it ignored (`nohup`, a shell's background job).
  taskkit_signal_is_ignored,
  /// Somebody else in this process handles it.
  taskkit_signal_has_handler,
  taskkit_signal_failed,
};

/// Handles a signal from now on, if nobody does.
enum taskkit_signal_answer taskkit_take_signal(int signal);

/// Gives a signal back: it does again what it did before it was taken. One that somebody else has taken over stays theirs.
void taskkit_return_signal(int signal);

#if defined(__linux__)

/// A timer on the clock that counts while the machine sleeps, inherited by no program that is started; -1 where there is
/// none.
int taskkit_alarm_timer(void);

/// Lets it ring at that time instead of another, or never for 0; 0 if it will.
int taskkit_set_alarm_timer(int timer, int64_t nanoseconds);

/// Returns 0 when it has rung. The thread sleeps until then.
int taskkit_wait_for_alarm(int timer);

/// Starts a thread which no process waits for and which gets no signals of others; 0 if it has. The system tells of it by a
/// name, of which it keeps 15 characters.
int taskkit_start_named_thread(const char *name, void (*run)(void *), void *context);

/// What tells of sockets, inherited by no program that is started; -1 where there is none.
int taskkit_socket_watch(void);
void taskkit_end_socket_watch(int watch);

/// Lets a socket be told of once, by a number, when it can be read or written, or is broken; not any more by the number that it
/// had before. 0 if it will be.
int taskkit_watch_socket(int watch, int socket, bool reads, bool writes, uint64_t number);

/// Writes the numbers of sockets of which there is something to tell, and returns how many these are; -1 where there is no such
/// watch. The thread sleeps until there is one.
int taskkit_ready_sockets(int watch, uint64_t *numbers, int count);

/// A timer on the calendar's clock; -1 where there is none.
int taskkit_calendar_timer(void);

/// What became of setting a timer.
enum taskkit_arming {
  taskkit_armed,
  /// It will ring too, but the clock has been set since it was last read, and the timer does not ring for that any more.
  taskkit_clock_was_set,
  taskkit_not_armed,
};

/// Lets the timer ring at a time in seconds since 1970, or when the clock is set; not any more for what was before.
enum taskkit_arming taskkit_arm_calendar_timer(int timer, int64_t seconds);

/// Why a timer has rung.
enum taskkit_ring {
  taskkit_ring_none,
  taskkit_ring_time,
  taskkit_ring_clock_set,
};

/// Takes what made the timer readable.
enum taskkit_ring taskkit_read_calendar_timer(int timer);

#endif
#endif
#endif
