#pragma once

#include <stddef.h>

/// Bytes that were allocated and not freed, as the allocator counts them; zero where it does not say.
///
/// In C because Swift's module of glibc leaves <malloc.h> out.
size_t allocator_bytes_in_use(void);
