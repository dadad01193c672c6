#ifndef SQLITE_LOOP_H
#define SQLITE_LOOP_H

#include <stdint.h>

/// What one writes by hand against SQLite's C API for one kind of job in one queue: the tables of a store, a transaction
/// for each batch, prepared statements, and nothing of what makes a library of it (no callers, no names, no keys, no
/// parents, no retries).
///
/// One thread at a time. Every function ends the program with the error of SQLite if something fails.
typedef struct sqlite_loop sqlite_loop;

/// Opens a file that a store has made, in which there was a job of that kind in that queue; commits wait for the disk.
sqlite_loop *sqlite_loop_open(const char *path, const char *queue, const char *kind);
void sqlite_loop_close(sqlite_loop *loop);

/// Writes jobs down in one transaction, due at once or at a moment in microseconds since 1970.
void sqlite_loop_enqueue(sqlite_loop *loop, int count, const void *payload, int size, int64_t due);

/// Finishes the jobs that were claimed last, and claims as many as there are up to a number: one transaction.
///
/// Returns how many were claimed.
int sqlite_loop_exchange(sqlite_loop *loop, int batch);

/// How many bytes the payloads had that were claimed, so that reading them cannot be left out.
int64_t sqlite_loop_bytes(const sqlite_loop *loop);

/// How many jobs the file has.
int64_t sqlite_loop_jobs(sqlite_loop *loop);

/// Begins to read a file, and so keeps its write-ahead log from being begun again: it only grows, by all that is written.
///
/// Returns what ends it.
void *sqlite_loop_pin(const char *path);
void sqlite_loop_unpin(void *reader);

/// Writes the log into the file, and lets the log begin again.
void sqlite_loop_checkpoint(sqlite_loop *loop);

#endif
