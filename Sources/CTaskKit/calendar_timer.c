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

enum taskkit_arming taskkit_arm_calendar_timer(int timer, int64_t seconds) {
  struct itimerspec time = {.it_value = {.tv_sec = (time_t)seconds}};
  if (timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL) == 0) return taskkit_armed;
  return errno == ECANCELED ? taskkit_clock_was_set : taskkit_not_armed;
}

enum taskkit_ring taskkit_read_calendar_timer(int timer) {
  uint64_t count;
  if (read(timer, &count, sizeof count) == sizeof count) return taskkit_ring_time;
  return errno == ECANCELED ? taskkit_ring_clock_set : taskkit_ring_none;
}

#endif
