#if !defined(_WIN32)

#include "CTaskKit.h"

#include <stddef.h>

#if defined(__APPLE__)

#include <CoreFoundation/CoreFoundation.h>
#define IS_THERE true

#else

// Foundation has all of it on Linux too, and shows none of it. Weak: where it is gone, there are no turns.
typedef struct {
  long version;
  void *info;
  const void *(*retain)(const void *);
  void (*release)(const void *);
  const void *(*describe)(const void *);
  unsigned char (*equal)(const void *, const void *);
  unsigned long (*hash)(const void *);
  void (*schedule)(void *, void *, const void *);
  void (*cancel)(void *, void *, const void *);
  void (*perform)(void *);
} CFRunLoopSourceContext;

typedef void *CFRunLoopSourceRef;
typedef void *CFRunLoopRef;

#define WEAK extern __attribute__((weak))
WEAK const void *const kCFRunLoopDefaultMode;
WEAK CFRunLoopSourceRef CFRunLoopSourceCreate(const void *allocator, long order, CFRunLoopSourceContext *context);
WEAK void CFRunLoopAddSource(CFRunLoopRef loop, CFRunLoopSourceRef source, const void *mode);
WEAK void CFRunLoopSourceSignal(CFRunLoopSourceRef source);
WEAK void CFRunLoopSourceInvalidate(CFRunLoopSourceRef source);
WEAK CFRunLoopRef CFRunLoopGetMain(void);
WEAK void CFRunLoopWakeUp(CFRunLoopRef loop);
WEAK void CFRelease(const void *object);

#define IS_THERE \
  (CFRunLoopSourceCreate && CFRunLoopAddSource && CFRunLoopSourceSignal && CFRunLoopSourceInvalidate && CFRunLoopGetMain \
    && CFRunLoopWakeUp && CFRelease && &kCFRunLoopDefaultMode)

#endif

/// Handling it is all that it is for: that ends a turn, which waking the run loop does not.
static void do_nothing(void *info) { (void)info; }

void *taskkit_begin_main_turns(void) {
  if (!IS_THERE) return NULL;
  CFRunLoopSourceContext context = {.perform = do_nothing};
  CFRunLoopSourceRef source = CFRunLoopSourceCreate(NULL, 0, &context);
  if (source) CFRunLoopAddSource(CFRunLoopGetMain(), source, kCFRunLoopDefaultMode);
  return source;
}

void taskkit_end_main_turn(void *turns) {
  CFRunLoopSourceSignal((CFRunLoopSourceRef)turns);
  CFRunLoopWakeUp(CFRunLoopGetMain());
}

void taskkit_end_main_turns(void *turns) { CFRunLoopSourceInvalidate((CFRunLoopSourceRef)turns); }

void taskkit_free_main_turns(void *turns) { CFRelease((CFRunLoopSourceRef)turns); }

#endif
