#if defined(__linux__)

#include "ClockSetting.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

// A program that this is part of has these two system calls from here. They are those of the kernel, but for one timer,
// which they tell what a kernel tells whose clock is set; the clock of the machine stays as it is.

#define CANCEL_ON_SET (1 << 1)

static _Atomic int timer = -1;
static _Atomic int armed = 0;
static _Atomic bool tells_reader = false;
static _Atomic bool tells_setter = false;

static int set(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
  return (int)syscall(SYS_timerfd_settime, file, flags, new, old);
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
  int result = set(file, flags, new, old);
  if (result != 0 || !(flags & CANCEL_ON_SET)) return result;
  timer = file;
  armed++;
  if (!atomic_exchange(&tells_setter, false)) return 0;
  // It is armed all the same, as the kernel's is.
  errno = ECANCELED;
  return -1;
}

ssize_t read(int file, void *buffer, size_t size) {
  ssize_t count = syscall(SYS_read, file, buffer, size);
  if (file != timer || count < 0 || !atomic_exchange(&tells_reader, false)) return count;
  errno = ECANCELED;
  return -1;
}

void clock_setting_set(bool again) {
  tells_setter = again;
  tells_reader = true;
  struct itimerspec past = {.it_value = {.tv_nsec = 1}};
  if (set(timer, TFD_TIMER_ABSTIME, &past, NULL) != 0) perror("timerfd_settime");
}

int clock_setting_armed(void) { return armed; }

#endif
