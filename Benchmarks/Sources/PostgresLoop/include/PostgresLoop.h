#ifndef POSTGRES_LOOP_H
#define POSTGRES_LOOP_H

#include <stdint.h>

/// What one writes by hand with libpq for one kind of job: a connection, prepared statements, and a transaction for each
/// job, which takes the first one that nobody else has (SKIP LOCKED), does it, and deletes it.
///
/// One thread at a time. Every function ends the program with the error of the server if something fails.
typedef struct postgres_loop postgres_loop;

/// Connects. In a schema that a store has made it does the store's jobs of that kind, which there has to have been one of;
/// without a schema it makes a table of its own, where that is not there.
postgres_loop *postgres_loop_open(const char *address, const char *schema, const char *kind);
void postgres_loop_close(postgres_loop *loop);

/// Writes a job down, in a transaction.
void postgres_loop_enqueue(postgres_loop *loop, const char *payload);

/// Does a job, in a transaction.
///
/// Returns its id; 0 if there is none that nobody else has.
int64_t postgres_loop_work(postgres_loop *loop);

/// How many jobs there are.
int64_t postgres_loop_jobs(postgres_loop *loop);

#endif
