#if Postgres
extension PostgresSchema {
  /// What the first format consists of: the tables of a store in an SQLite file, shaped for many writers.
  ///
  /// `taskkit_job` says what a job is and is written once, unless somebody changes what it asks for. `taskkit_state` has one
  /// narrow row for each, whose lock is the job's lock. Times are microseconds since 1970. Priorities are the complements of what
  /// people see, so that the order of the law is the order of an index. Counts are kept in a slot for each owner, so that no two
  /// wait for each other.
  static let tables = """
    CREATE SEQUENCE taskkit_job_id;
    CREATE SEQUENCE taskkit_token;
    CREATE SEQUENCE taskkit_owner_id;

    CREATE TABLE taskkit_shelf (
      id serial PRIMARY KEY, queue text NOT NULL, kind text NOT NULL, needs text[] NOT NULL, is_limited boolean NOT NULL,
      UNIQUE (queue, kind, needs, is_limited));

    CREATE TABLE taskkit_job (
      id bigint PRIMARY KEY, queue text NOT NULL, kind text NOT NULL, created bigint NOT NULL,
      maximum_attempts bigint, maximum_crashes bigint NOT NULL, deadline bigint, needs text[], needs_until bigint,
      unique_key text, unique_period bigint, limit_key text, limit_count bigint, parent_failure smallint NOT NULL,
      exhaustion smallint NOT NULL, keep_finished bigint, keep_failed bigint, tags text[], schedule text,
      occurrence bigint, version bigint NOT NULL, payload bytea NOT NULL);

    -- 0 waiting, 1 delayed, 2 ready, 3 running, 4 held, 5 finished, 6 dead, 7 cancelled.
    -- 'lane' is the limit of its key, and the key; jobs that have one lie on shelves of their own.
    -- Flags: 1 parents, 2 checkpoint, 4 errors, 8 steps, 16 children, 32 unique key, 64 limit, 128 kept when finished.
    CREATE TABLE taskkit_state (
      id bigint PRIMARY KEY, shelf integer NOT NULL, state smallint NOT NULL, flags smallint NOT NULL,
      major bigint NOT NULL, minor bigint NOT NULL, attempts bigint NOT NULL, crashes bigint NOT NULL,
      due bigint NOT NULL, since bigint NOT NULL, relax_at bigint, token bigint, owner bigint, began bigint,
      completed bigint, total bigint, ended bigint, expiry bigint, hold jsonb, result bytea, lane text COLLATE "C")
      WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
    CREATE INDEX taskkit_state_ready ON taskkit_state (shelf, major, minor, attempts, id) WHERE state = 2;
    CREATE INDEX taskkit_state_lane ON taskkit_state (shelf, lane, major, minor, attempts, id)
      WHERE state = 2 AND lane IS NOT NULL;
    CREATE INDEX taskkit_state_due ON taskkit_state (due, id) WHERE state = 1;
    CREATE INDEX taskkit_state_relax ON taskkit_state (relax_at, id) WHERE state = 2 AND relax_at IS NOT NULL;
    CREATE INDEX taskkit_state_owner ON taskkit_state (owner, id) WHERE state = 3;
    CREATE INDEX taskkit_state_expiry ON taskkit_state (expiry, id) WHERE expiry IS NOT NULL;

    CREATE TABLE taskkit_edge (
      parent bigint NOT NULL, child bigint NOT NULL, place integer NOT NULL, is_order boolean NOT NULL,
      is_open boolean NOT NULL, result bytea, PRIMARY KEY (parent, child));
    CREATE INDEX taskkit_edge_child ON taskkit_edge (child);
    -- What a job still waits for, however many have ended.
    CREATE INDEX taskkit_edge_open ON taskkit_edge (child) WHERE is_open;

    CREATE TABLE taskkit_key (
      key text NOT NULL, id bigint NOT NULL, until bigint, has_ended boolean NOT NULL, PRIMARY KEY (key, id));
    CREATE INDEX taskkit_key_until ON taskkit_key (until) WHERE has_ended;

    CREATE TABLE taskkit_permit (key text PRIMARY KEY, used bigint NOT NULL) WITH (fillfactor = 50);
    CREATE TABLE taskkit_occurrence (
      schedule text NOT NULL, at bigint NOT NULL, id bigint NOT NULL, PRIMARY KEY (schedule, at));
    CREATE TABLE taskkit_schedule (name text PRIMARY KEY, begun bigint NOT NULL, latest bigint, count bigint NOT NULL);
    -- Of queues (0), of kinds (1), or of the keys of limits (2).
    CREATE TABLE taskkit_pause (
      subject integer NOT NULL, name text NOT NULL, by text NOT NULL, since bigint NOT NULL,
      PRIMARY KEY (subject, name));
    -- Of queues, or of the keys of limits.
    CREATE TABLE taskkit_rate (
      is_key boolean NOT NULL, name text NOT NULL, count bigint NOT NULL, period bigint NOT NULL,
      PRIMARY KEY (is_key, name));
    CREATE TABLE taskkit_start (
      is_key boolean NOT NULL, name text NOT NULL, at bigint NOT NULL, count bigint NOT NULL,
      PRIMARY KEY (is_key, name, at));

    -- 'moves' only rises: whoever reads it knows whether anything has happened. 'slot' says by whom: an owner, the
    -- complement of a backend's number for what has none, 0 for those who are gone. Empty names mean everything.
    CREATE TABLE taskkit_count (
      queue text NOT NULL, kind text NOT NULL, state smallint NOT NULL, slot bigint NOT NULL, count bigint NOT NULL,
      moves bigint NOT NULL, PRIMARY KEY (queue, kind, state, slot)) WITH (fillfactor = 50);

    -- 'op' is the number of the last transaction that the owner's process has asked for, and 'answers' what its statements
    -- said: so it can find out after a broken connection. 'since' is when it came, or was there again after it had been
    -- silent for longer than half of its lease; 'doubted' is when it was first seen without a lease by somebody who
    -- could not tell whether it lives.
    CREATE TABLE taskkit_owner (
      id bigint PRIMARY KEY, name text NOT NULL, lease bigint NOT NULL, lease_until bigint NOT NULL,
      since bigint NOT NULL, doubted bigint, op bigint NOT NULL, answers jsonb) WITH (fillfactor = 50);
    CREATE TABLE taskkit_cancel (owner bigint NOT NULL, token bigint NOT NULL, PRIMARY KEY (owner, token));

    CREATE TABLE taskkit_error (
      id bigint NOT NULL, place bigint NOT NULL, attempt bigint NOT NULL, date bigint NOT NULL, cause text NOT NULL,
      text text NOT NULL, PRIMARY KEY (id, place));
    CREATE TABLE taskkit_checkpoint (id bigint PRIMARY KEY, data bytea NOT NULL);
    CREATE TABLE taskkit_step (id bigint NOT NULL, name text NOT NULL, result bytea NOT NULL, PRIMARY KEY (id, name));
    """

  /// What the second format adds: how many starts of a rate are written down, so that nobody has to add them up. And SQL could
  /// enqueue jobs with a NULL among their names, which no process can read.
  static let countedStarts = """
    ALTER TABLE taskkit_rate ADD COLUMN used bigint NOT NULL DEFAULT 0, SET (fillfactor = 50);
    UPDATE taskkit_rate r SET used = (
      SELECT coalesce(sum(t.count), 0) FROM taskkit_start t WHERE t.is_key = r.is_key AND t.name = r.name);

    UPDATE taskkit_job SET tags = nullif(array_remove(tags, NULL), '{}') WHERE array_position(tags, NULL) IS NOT NULL;
    UPDATE taskkit_job SET needs = nullif(array_remove(needs, NULL), '{}') WHERE array_position(needs, NULL) IS NOT NULL;
    INSERT INTO taskkit_shelf (queue, kind, needs, is_limited)
    SELECT queue, kind, array_remove(needs, NULL), is_limited FROM taskkit_shelf WHERE array_position(needs, NULL) IS NOT NULL
    ON CONFLICT DO NOTHING;
    UPDATE taskkit_state s SET shelf = g.id
    FROM taskkit_shelf f JOIN taskkit_shelf g ON g.queue = f.queue AND g.kind = f.kind
      AND g.needs = array_remove(f.needs, NULL) AND g.is_limited = f.is_limited
    WHERE array_position(f.needs, NULL) IS NOT NULL AND s.shelf = f.id;
    DELETE FROM taskkit_shelf WHERE array_position(needs, NULL) IS NOT NULL;
    """

  /// What the third format adds: jobs whose payloads are of different versions lie apart, so that who cannot read one of them
  /// takes none of its like. Those that are there stay where they are, on shelves of any version, which have the version 0: to move
  /// them nobody could do anything for as long as it takes to read all jobs. And whoever looks for held jobs looks at no others.
  static let versionedShelves = """
    ALTER TABLE taskkit_shelf ADD COLUMN version bigint NOT NULL DEFAULT 0;
    ALTER TABLE taskkit_shelf ALTER COLUMN version DROP DEFAULT;
    ALTER TABLE taskkit_shelf DROP CONSTRAINT taskkit_shelf_queue_kind_needs_is_limited_key;
    ALTER TABLE taskkit_shelf ADD UNIQUE (queue, kind, needs, is_limited, version);
    CREATE INDEX taskkit_state_hold ON taskkit_state (id) WHERE hold IS NOT NULL;
    """

  /// What the fourth format changes is what functions do: no lease is longer than it is, whatever becomes of the server's clock.
  static let boundLeases = ""

  /// What the fifth format changes is what functions do: who is given a job is told for how long what it requires has to hold,
  /// and a parent's failure counts also for a child that was held for something else. One that somebody has released though a
  /// parent had failed has the flag 256 until it waits for that again.
  static let freedAttempts = ""

  /// What the sixth format changes is what functions do: what a call costs grows with how much it is about, and not with the
  /// square of that; a child gets what it asks for where its own batch has cancelled its parent and that is not kept; what
  /// ends jobs of others waits for the disk, however it was asked for; of a schedule the latest is told that the time has
  /// come for; jobs of version 0 lie on shelves of their own, and SQL enqueues none; who has no longer waited for what it
  /// requires does not do so again where the clock is set back; a job comes behind those of its key that its parent waited
  /// for; and what has failed while its child was held for something else is known from their edge, whose place is its
  /// complement until that is tried again, or somebody has let the child run without it.
  static let boundCosts = ""

  /// What the seventh format adds: whom somebody doubts is written down apart from the owners, so that nobody but an owner itself
  /// and who gives its jobs back holds its row.
  ///
  /// What functions do changes, too: a sign of life by the connection for writing prolongs the lease each time, so that a
  /// process whose watch fails is no longer taken for cut off again and again; of the starts above a rate that has become a
  /// smaller one an exchange looks at a few; what a batch of jobs that have to do with others counts is written at its end,
  /// the slots of schedules too; what a job costs that waits for others grows with their number, and not with the square of
  /// that; and a date from which on constraints hold nothing up counts for a job once that is ready.
  static let steadyPulses = """
    -- 'at' is when somebody who could not tell whether an owner lives has seen it without a lease, and 'until' when that had
    -- ended, so that a sign of life ends the doubt. Each writes in rows of its own ('by'), so that nobody waits for another
    -- one. 'doubted' of an owner is from now on when it has come back itself, and doubts all the others.
    CREATE TABLE taskkit_doubt (
      owner bigint NOT NULL, by bigint NOT NULL, until bigint NOT NULL, at bigint NOT NULL, PRIMARY KEY (owner, by));
    INSERT INTO taskkit_doubt SELECT id, id, lease_until, doubted FROM taskkit_owner WHERE doubted >= lease_until;
    UPDATE taskkit_owner SET doubted = NULL WHERE doubted IS NOT NULL;
    """

  /// What the eighth format changes is what functions do: of very many dead owners those that somebody holds keep no exchange from
  /// finding others; what no longer counts of the starts above a rate that has become a smaller one is removed by who meets it;
  /// who has waited at the server for half of a lease counts as cut off meanwhile; SQL enqueues no jobs with names that programs
  /// take for others; of old occurrences of a schedule those before a gap that is long for that schedule stay apart from those
  /// behind it; what ends with many children, or is appended to many of its key, costs no more for each of them; and no statement
  /// goes through a table for a few rows in it, as where the planner takes it for empty.
  static let steadyLooks = ""
}
#endif
