#if defined(__linux__)

#define _GNU_SOURCE
#include "CTaskKit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int taskkit_alarm_timer(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC); }

int taskkit_set_alarm_timer(int timer, int64_t nanoseconds) {
  struct itimerspec time = {.it_value = {
                                .tv_sec = (time_t)(nanoseconds / 1000000000),
                                .tv_nsec = (long)(nanoseconds % 1000000000),
                            }};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL);
}

int taskkit_wait_for_alarm(int timer) {
  uint64_t count;
  ssize_t answer;
  do {
    answer = read(timer, &count, sizeof count);
  } while (answer < 0 && errno == EINTR);
  return answer == sizeof count ? 0 : -1;
}

struct start {
  char name[16];
  void (*run)(void *);
  void *context;
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  pthread_setname_np(pthread_self(), start.name);
  start.run(start.context);
  return NULL;
}

int taskkit_start_named_thread(const char *name, void (*function)(void *), void *context) {
  struct start *start = malloc(sizeof *start);
  if (!start) return -1;
  *start = (struct start){.run = function, .context = context};
  strncpy(start->name, name, sizeof start->name - 1);
  // A thread inherits what is blocked. The process' signals are for the others; what a thread brings on itself is its own.
  sigset_t others, before;
  sigfillset(&others);
  const int own[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGPIPE, SIGPROF};
  for (size_t index = 0; index < sizeof own / sizeof *own; index++) sigdelset(&others, own[index]);
  pthread_sigmask(SIG_SETMASK, &others, &before);
  pthread_t thread;
  int answer = pthread_create(&thread, NULL, run, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (answer == 0) {
    pthread_detach(thread);
  } else {
    free(start);
  }
  return answer;
}

#endif
