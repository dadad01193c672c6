#pragma once

#if defined(__linux__)

#include <stdbool.h>

/// Lets the process believe that the machine's clock has been set: its timer that wants to know of it rings and says so.
///
/// - Parameter again: once more while the timer is set anew.
void clock_setting_set(bool again);

/// How often a timer was asked to ring when the clock is set.
int clock_setting_armed(void);

#endif
