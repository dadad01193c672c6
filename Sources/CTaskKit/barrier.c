#if defined(__linux__)

#define _GNU_SOURCE
#include "CTaskKit.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

int taskkit_prepare_order_everywhere(void) {
  return (int)syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}

void taskkit_order_everywhere(void) { syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0); }

#endif
