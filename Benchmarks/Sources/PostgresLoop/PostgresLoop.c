#include "PostgresLoop.h"

// Debian keeps the header in a folder of its own.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
#include <stdio.h>
#include <stdlib.h>

struct postgres_loop {
  PGconn *connection;
  const char *jobs;
  int is_own;
};

static void fail(postgres_loop *loop) {
  fprintf(stderr, "the loop by hand: %s\n", PQerrorMessage(loop->connection));
  abort();
}

static PGresult *checked(postgres_loop *loop, PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) fail(loop);
  return result;
}

static void run(postgres_loop *loop, const char *sql) { PQclear(checked(loop, PQexec(loop->connection, sql))); }

static void prepare(postgres_loop *loop, const char *name, const char *sql) {
  PQclear(checked(loop, PQprepare(loop->connection, name, sql, 0, 0)));
}

/// Does a prepared statement with one parameter, or none.
static PGresult *execute(postgres_loop *loop, const char *name, const char *parameter) {
  return checked(
      loop, PQexecPrepared(loop->connection, name, parameter ? 1 : 0, &parameter, 0, 0, 0));
}

postgres_loop *postgres_loop_open(const char *address, const char *schema, const char *kind) {
  postgres_loop *loop = calloc(1, sizeof *loop);
  loop->connection = PQconnectdb(address);
  if (PQstatus(loop->connection) != CONNECTION_OK) fail(loop);
  loop->is_own = !schema;
  // Tables that fill and empty all the time have no statistics to go by.
  run(loop, "SET client_min_messages = warning; SET enable_seqscan = off; SET enable_bitmapscan = off");
  char sql[1024];
  if (loop->is_own) {
    // Whoever comes second waits for the first.
    run(loop, "BEGIN; SELECT pg_advisory_xact_lock(1)");
    run(loop,
        "CREATE TABLE IF NOT EXISTS jobs (id bigserial PRIMARY KEY, kind text NOT NULL, priority integer NOT NULL"
        " DEFAULT 10, run_at timestamptz NOT NULL DEFAULT now(), attempts integer NOT NULL DEFAULT 0,"
        " payload bytea NOT NULL)");
    run(loop, "CREATE INDEX IF NOT EXISTS jobs_ready ON jobs (kind, priority, run_at, id); COMMIT");
    loop->jobs = "SELECT count(*) FROM jobs";
    snprintf(sql, sizeof sql, "INSERT INTO jobs (kind, payload) VALUES ('%s', convert_to($1, 'UTF8'))", kind);
    prepare(loop, "enqueue", sql);
    snprintf(
        sql, sizeof sql,
        "SELECT id, payload FROM jobs WHERE kind = '%s' AND run_at <= now()"
        " ORDER BY priority, run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED", kind);
    prepare(loop, "claim", sql);
    prepare(loop, "finish", "DELETE FROM jobs WHERE id = $1");
  } else {
    snprintf(sql, sizeof sql, "SET search_path = \"%s\"", schema);
    run(loop, sql);
    loop->jobs = "SELECT count(*) FROM taskkit_state";
    snprintf(sql, sizeof sql, "SELECT taskkit_enqueue('%s', $1)", kind);
    prepare(loop, "enqueue", sql);
    snprintf(
        sql, sizeof sql,
        "SELECT s.id, j.payload FROM taskkit_state s JOIN taskkit_job j ON j.id = s.id"
        " WHERE s.state = 2 AND s.shelf = (SELECT id FROM taskkit_shelf WHERE kind = '%s' AND needs = '{}')"
        " ORDER BY s.major, s.minor, s.attempts, s.id LIMIT 1 FOR UPDATE OF s SKIP LOCKED", kind);
    prepare(loop, "claim", sql);
    prepare(
        loop, "finish",
        "WITH gone AS (DELETE FROM taskkit_state WHERE id = $1) DELETE FROM taskkit_job WHERE id = $1");
  }
  prepare(loop, "begin", "BEGIN");
  prepare(loop, "commit", "COMMIT");
  return loop;
}

void postgres_loop_close(postgres_loop *loop) {
  PQfinish(loop->connection);
  free(loop);
}

void postgres_loop_enqueue(postgres_loop *loop, const char *payload) {
  PQclear(execute(loop, "enqueue", payload));
}

int64_t postgres_loop_work(postgres_loop *loop) {
  PQclear(execute(loop, "begin", 0));
  PGresult *job = execute(loop, "claim", 0);
  int64_t id = PQntuples(job) > 0 ? strtoll(PQgetvalue(job, 0, 0), 0, 10) : 0;
  if (id) PQclear(execute(loop, "finish", PQgetvalue(job, 0, 0)));
  PQclear(job);
  PQclear(execute(loop, "commit", 0));
  return id;
}

int64_t postgres_loop_jobs(postgres_loop *loop) {
  PGresult *result = checked(loop, PQexec(loop->connection, loop->jobs));
  int64_t count = strtoll(PQgetvalue(result, 0, 0), 0, 10);
  PQclear(result);
  return count;
}
