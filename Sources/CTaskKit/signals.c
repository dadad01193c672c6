#if !defined(_WIN32)

#include "CTaskKit.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int descriptor = -1;
static atomic_int interrupts;

/// Only what POSIX calls async-signal-safe: lock-free atomics, write, _exit.
static void note_signal(int signal) {
  if (signal == SIGINT && atomic_fetch_add(&interrupts, 1) > 0) _exit(128 + SIGINT);
  int before = errno;
  int pipe = atomic_load(&descriptor);
  unsigned char number = (unsigned char)signal;
  // A full pipe holds thousands of signals that nobody has read: one more says nothing new.
  if (pipe >= 0) (void)!write(pipe, &number, 1);
  errno = before;
}

bool taskkit_begin_signals(int pipe) {
  int nobody = -1;
  if (!atomic_compare_exchange_strong(&descriptor, &nobody, pipe)) return false;
  atomic_store(&interrupts, 0);
  return true;
}

void taskkit_end_signals(void) { atomic_store(&descriptor, -1); }

enum taskkit_signal_answer taskkit_take_signal(int signal) {
  struct sigaction old;
  if (sigaction(signal, NULL, &old) != 0) return taskkit_signal_failed;
  if (old.sa_flags & SA_SIGINFO) return taskkit_signal_has_handler;
  if (old.sa_handler == SIG_IGN) return taskkit_signal_is_ignored;
  if (old.sa_handler != SIG_DFL) return taskkit_signal_has_handler;
  struct sigaction own = {.sa_flags = SA_RESTART | SA_ONSTACK};
  own.sa_handler = note_signal;
  sigemptyset(&own.sa_mask);
  return sigaction(signal, &own, NULL) == 0 ? taskkit_signal_taken : taskkit_signal_failed;
}

void taskkit_return_signal(int signal) {
  struct sigaction current;
  if (sigaction(signal, NULL, &current) != 0 || (current.sa_flags & SA_SIGINFO)) return;
  if (current.sa_handler != note_signal) return;
  // Only signals that did what they do by default are taken.
  struct sigaction usual = {.sa_flags = 0};
  usual.sa_handler = SIG_DFL;
  sigemptyset(&usual.sa_mask);
  sigaction(signal, &usual, NULL);
}

#endif
