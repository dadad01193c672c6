#include "CTaskKit.h"

_Thread_local void *taskkit_worker_of_thread;
