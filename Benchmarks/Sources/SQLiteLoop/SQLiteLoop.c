#include "SQLiteLoop.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { largest_batch = 1024, ready = 2, delayed = 1, running = 3 };

struct sqlite_loop {
  sqlite3 *db;
  sqlite3_stmt *begin, *commit, *insert_job, *insert_ready, *insert_due, *next, *set_next, *count;
  sqlite3_stmt *select_ready, *delete_ready, *insert_running, *select_job, *delete_running, *delete_job;
  int64_t queue, kind, shelf, bytes;
  int64_t ids[largest_batch], tokens[largest_batch];
  int held;
};

static void fail(sqlite_loop *loop) {
  fprintf(stderr, "the loop by hand: %s\n", sqlite3_errmsg(loop->db));
  abort();
}

static sqlite3_stmt *prepare(sqlite_loop *loop, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v3(loop->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0) != SQLITE_OK) fail(loop);
  return statement;
}

static void run(sqlite_loop *loop, sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) fail(loop);
  sqlite3_reset(statement);
}

static int64_t number(sqlite_loop *loop, const char *sql, const char *text) {
  sqlite3_stmt *statement = prepare(loop, sql);
  if (text) sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
  if (sqlite3_step(statement) != SQLITE_ROW) fail(loop);
  int64_t value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return value;
}

sqlite_loop *sqlite_loop_open(const char *path, const char *queue, const char *kind) {
  sqlite_loop *loop = calloc(1, sizeof *loop);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &loop->db, flags, 0) != SQLITE_OK) fail(loop);
  sqlite3_busy_timeout(loop->db, 10000);
  if (sqlite3_exec(loop->db, "PRAGMA synchronous = FULL", 0, 0, 0) != SQLITE_OK) fail(loop);
  if (number(loop, "PRAGMA synchronous", 0) != 2) abort();
  loop->queue = number(loop, "SELECT id FROM taskkit_name WHERE text = ?", queue);
  loop->kind = number(loop, "SELECT id FROM taskkit_name WHERE text = ?", kind);
  loop->shelf = number(loop, "SELECT id FROM taskkit_shelf WHERE needs = ''", 0);
  loop->begin = prepare(loop, "BEGIN IMMEDIATE");
  loop->commit = prepare(loop, "COMMIT");
  loop->insert_job = prepare(
      loop,
      "INSERT INTO taskkit_job (id, queue, kind, shelf, state, major, minor, due, created, flags, maximum_attempts,"
      " maximum_crashes, needs, parent_failure, exhaustion, keep_finished, version, payload)"
      " VALUES (?, ?, ?, ?, ?, 10, 10, ?, ?, 0, 3, 3, '', 0, 0, 0, 1, ?)");
  loop->insert_ready = prepare(loop, "INSERT INTO taskkit_ready VALUES (?, ~10, ~10, 0, ?, ?, NULL, NULL)");
  loop->insert_due = prepare(loop, "INSERT INTO taskkit_due VALUES (?, ?, 0)");
  loop->next = prepare(loop, "SELECT next FROM taskkit_sequence WHERE name = ?");
  loop->set_next = prepare(loop, "UPDATE taskkit_sequence SET next = ? WHERE name = ?");
  loop->count = prepare(
      loop, "INSERT INTO taskkit_count VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count");
  loop->select_ready = prepare(
      loop,
      "SELECT major, minor, attempts, id FROM taskkit_ready WHERE shelf = ? ORDER BY major, minor, attempts, id LIMIT ?");
  loop->delete_ready = prepare(
      loop, "DELETE FROM taskkit_ready WHERE shelf = ? AND major = ? AND minor = ? AND attempts = ? AND id = ?");
  loop->insert_running = prepare(
      loop, "INSERT INTO taskkit_running (id, token, owner, attempt, began) VALUES (?, ?, 1, ?, ?)");
  loop->select_job = prepare(loop, "SELECT maximum_attempts, deadline, version, payload FROM taskkit_job WHERE id = ?");
  loop->delete_running = prepare(loop, "DELETE FROM taskkit_running WHERE id = ? AND token = ?");
  loop->delete_job = prepare(loop, "DELETE FROM taskkit_job WHERE id = ?");
  return loop;
}

void sqlite_loop_close(sqlite_loop *loop) {
  sqlite3_stmt *statement;
  while ((statement = sqlite3_next_stmt(loop->db, 0))) sqlite3_finalize(statement);
  sqlite3_close(loop->db);
  free(loop);
}

static int64_t now(void) {
  struct timeval time;
  gettimeofday(&time, 0);
  return time.tv_sec * (int64_t)1000000 + time.tv_usec;
}

static int64_t next(sqlite_loop *loop, const char *name) {
  sqlite3_bind_text(loop->next, 1, name, -1, SQLITE_STATIC);
  if (sqlite3_step(loop->next) != SQLITE_ROW) fail(loop);
  int64_t value = sqlite3_column_int64(loop->next, 0);
  sqlite3_reset(loop->next);
  return value;
}

static void set_next(sqlite_loop *loop, const char *name, int64_t value) {
  sqlite3_bind_int64(loop->set_next, 1, value);
  sqlite3_bind_text(loop->set_next, 2, name, -1, SQLITE_STATIC);
  run(loop, loop->set_next);
}

static void count(sqlite_loop *loop, int state, int difference) {
  if (difference == 0) return;
  sqlite3_bind_int64(loop->count, 1, loop->queue);
  sqlite3_bind_int64(loop->count, 2, loop->kind);
  sqlite3_bind_int(loop->count, 3, state);
  sqlite3_bind_int(loop->count, 4, difference);
  run(loop, loop->count);
}

void sqlite_loop_enqueue(sqlite_loop *loop, int jobs, const void *payload, int size, int64_t due) {
  run(loop, loop->begin);
  int64_t moment = now(), id = next(loop, "job");
  for (int index = 0; index < jobs; index++, id++) {
    sqlite3_bind_int64(loop->insert_job, 1, id);
    sqlite3_bind_int64(loop->insert_job, 2, loop->queue);
    sqlite3_bind_int64(loop->insert_job, 3, loop->kind);
    sqlite3_bind_int64(loop->insert_job, 4, loop->shelf);
    sqlite3_bind_int(loop->insert_job, 5, due ? delayed : ready);
    sqlite3_bind_int64(loop->insert_job, 6, due ? due : moment);
    sqlite3_bind_int64(loop->insert_job, 7, moment);
    sqlite3_bind_blob(loop->insert_job, 8, payload, size, SQLITE_STATIC);
    run(loop, loop->insert_job);
    if (due) {
      sqlite3_bind_int64(loop->insert_due, 1, due);
      sqlite3_bind_int64(loop->insert_due, 2, id);
      run(loop, loop->insert_due);
    } else {
      sqlite3_bind_int64(loop->insert_ready, 1, loop->shelf);
      sqlite3_bind_int64(loop->insert_ready, 2, id);
      sqlite3_bind_int64(loop->insert_ready, 3, moment);
      run(loop, loop->insert_ready);
    }
  }
  set_next(loop, "job", id);
  count(loop, due ? delayed : ready, jobs);
  run(loop, loop->commit);
}

int sqlite_loop_exchange(sqlite_loop *loop, int batch) {
  struct { int64_t major, minor, attempts, id; } chosen[largest_batch];
  if (batch > largest_batch) abort();
  run(loop, loop->begin);
  for (int index = 0; index < loop->held; index++) {
    sqlite3_bind_int64(loop->delete_running, 1, loop->ids[index]);
    sqlite3_bind_int64(loop->delete_running, 2, loop->tokens[index]);
    run(loop, loop->delete_running);
    if (sqlite3_changes(loop->db) != 1) abort();
    sqlite3_bind_int64(loop->delete_job, 1, loop->ids[index]);
    run(loop, loop->delete_job);
  }
  int claimed = 0;
  sqlite3_bind_int64(loop->select_ready, 1, loop->shelf);
  sqlite3_bind_int(loop->select_ready, 2, batch);
  while (sqlite3_step(loop->select_ready) == SQLITE_ROW) {
    chosen[claimed].major = sqlite3_column_int64(loop->select_ready, 0);
    chosen[claimed].minor = sqlite3_column_int64(loop->select_ready, 1);
    chosen[claimed].attempts = sqlite3_column_int64(loop->select_ready, 2);
    chosen[claimed].id = sqlite3_column_int64(loop->select_ready, 3);
    claimed++;
  }
  sqlite3_reset(loop->select_ready);
  int64_t moment = now(), token = next(loop, "token");
  for (int index = 0; index < claimed; index++, token++) {
    sqlite3_bind_int64(loop->delete_ready, 1, loop->shelf);
    sqlite3_bind_int64(loop->delete_ready, 2, chosen[index].major);
    sqlite3_bind_int64(loop->delete_ready, 3, chosen[index].minor);
    sqlite3_bind_int64(loop->delete_ready, 4, chosen[index].attempts);
    sqlite3_bind_int64(loop->delete_ready, 5, chosen[index].id);
    run(loop, loop->delete_ready);
    sqlite3_bind_int64(loop->insert_running, 1, chosen[index].id);
    sqlite3_bind_int64(loop->insert_running, 2, token);
    sqlite3_bind_int64(loop->insert_running, 3, chosen[index].attempts + 1);
    sqlite3_bind_int64(loop->insert_running, 4, moment);
    run(loop, loop->insert_running);
    sqlite3_bind_int64(loop->select_job, 1, chosen[index].id);
    if (sqlite3_step(loop->select_job) != SQLITE_ROW) fail(loop);
    if (sqlite3_column_blob(loop->select_job, 3)) loop->bytes += sqlite3_column_bytes(loop->select_job, 3);
    sqlite3_reset(loop->select_job);
    loop->ids[index] = chosen[index].id;
    loop->tokens[index] = token;
  }
  if (claimed) set_next(loop, "token", token);
  count(loop, ready, -claimed);
  count(loop, running, claimed - loop->held);
  run(loop, loop->commit);
  loop->held = claimed;
  return claimed;
}

int64_t sqlite_loop_bytes(const sqlite_loop *loop) { return loop->bytes; }

void *sqlite_loop_pin(const char *path) {
  sqlite3 *reader;
  if (sqlite3_open_v2(path, &reader, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, 0) != SQLITE_OK) abort();
  if (sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM taskkit_format", 0, 0, 0) != SQLITE_OK) abort();
  return reader;
}

void sqlite_loop_unpin(void *reader) { sqlite3_close(reader); }

int64_t sqlite_loop_jobs(sqlite_loop *loop) { return number(loop, "SELECT count(*) FROM taskkit_job", 0); }

void sqlite_loop_checkpoint(sqlite_loop *loop) {
  if (sqlite3_wal_checkpoint_v2(loop->db, 0, SQLITE_CHECKPOINT_TRUNCATE, 0, 0) != SQLITE_OK) fail(loop);
}
