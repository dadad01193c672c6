#if !defined(_WIN32)

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CTaskKit.h"

#include <fcntl.h>
#include <unistd.h>

int taskkit_pipe(int ends[2]) {
#if defined(__linux__)
  // In one step: between two, another thread may start a process.
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

#endif
