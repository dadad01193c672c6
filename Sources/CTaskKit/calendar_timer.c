#if defined(__linux__)

#include "CTaskKit.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#ifndef TFD_TIMER_CANCEL_ON_SET
#define TFD_TIMER_CANCEL_ON_SET (1 << 1)
#endif

int taskkit_calendar_timer(void) { return timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

int taskkit_arm_calendar_timer(int timer, int64_t seconds) {
  struct itimerspec time = {.it_value = {.tv_sec = (time_t)seconds}};
  int answer = timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL);
  // The clock has just been set once more: the timer is set all the same, and the caller is about to tell.
  return answer != 0 && errno == ECANCELED ? 0 : answer;
}

enum taskkit_ring taskkit_read_calendar_timer(int timer) {
  uint64_t count;
  if (read(timer, &count, sizeof count) == sizeof count) return taskkit_ring_time;
  return errno == ECANCELED ? taskkit_ring_clock_set : taskkit_ring_none;
}

#endif
