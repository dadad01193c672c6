#if defined(__linux__)

#include "CTaskKit.h"

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

int taskkit_socket_watch(void) { return epoll_create1(EPOLL_CLOEXEC); }

void taskkit_end_socket_watch(int watch) { close(watch); }

int taskkit_watch_socket(int watch, int socket, bool reads, bool writes, uint64_t number) {
  struct epoll_event event = {
      .events = EPOLLONESHOT | (reads ? EPOLLIN : 0) | (writes ? EPOLLOUT : 0),
      .data = {.u64 = number},
  };
  // One that has been closed since is not known any more, though another one has its place.
  if (epoll_ctl(watch, EPOLL_CTL_MOD, socket, &event) == 0) return 0;
  return errno == ENOENT ? epoll_ctl(watch, EPOLL_CTL_ADD, socket, &event) : -1;
}

int taskkit_ready_sockets(int watch, uint64_t *numbers, int count) {
  struct epoll_event events[16];
  int found;
  do {
    found = epoll_wait(watch, events, count < 16 ? count : 16, -1);
  } while (found < 0 && errno == EINTR);
  for (int index = 0; index < found; index++) numbers[index] = events[index].data.u64;
  return found;
}

#endif
