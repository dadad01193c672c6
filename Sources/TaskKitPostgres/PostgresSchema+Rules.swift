#if Postgres
extension PostgresSchema {
  /// The rules of a store for one job: what `JobLedger` says, in the same words.
  ///
  /// Whoever calls one of these holds the lock of the job's row in `taskkit_state`. Each statement sees what others have
  /// committed before it, so what is read after a lock was taken is true until the end of the transaction.
  ///
  /// No store waits for somebody who waits for it, since all wait in one order: for the own owner, for the keys, for the jobs
  /// by their ids (a child's is above those of its parents), for the places of limits, for the rates. Shelves they make in
  /// transactions of their own. Whoever claims waits for none of the jobs and places, but passes by what others hold, as does
  /// whoever looks whether other owners live, or sweeps. Who holds the row of another owner waits for no job any more, so that
  /// no sign of life of another one waits for what it waits for. That is so among stores: a transaction of somebody else's
  /// keeps what each call and each step has locked until it ends, so it may hold what comes later in that order, and be taken
  /// back.
  static let rules = """
    CREATE FUNCTION taskkit_clock() RETURNS bigint LANGUAGE sql VOLATILE AS $taskkit$
      SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
    $taskkit$;

    -- A time that is too far away becomes the furthest one.
    CREATE FUNCTION taskkit_sum(a bigint, b bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $taskkit$
      SELECT greatest(least(a::numeric + b, 9223372036854775807), -9223372036854775808)::bigint
    $taskkit$;

    -- Jobs, and those that may change with them. How far it reaches says what may happen to each: 0 nothing that concerns
    -- others, 1 something that concerns its children, 2 theirs, too, 3 something that concerns also those who wait for it
    -- no longer.
    CREATE FUNCTION taskkit_below(p_ids bigint[], p_reaches integer[]) RETURNS bigint[] LANGUAGE plpgsql AS $taskkit$
    BEGIN
      RETURN ARRAY(
        WITH RECURSIVE below (id, reach) AS (
          SELECT x.id, x.reach FROM unnest(p_ids, p_reaches) x (id, reach)
          UNION
          SELECT e.child, CASE b.reach WHEN 2 THEN 2 ELSE 0 END
          FROM below b, LATERAL (
            SELECT child FROM taskkit_edge WHERE parent = b.id AND (is_open OR b.reach = 3) OFFSET 0) e
          WHERE b.reach > 0)
        SELECT DISTINCT id FROM below);
    END $taskkit$;

    -- Locks jobs, and those that may change with them, in the order that all keep to. Returns the queues that they are in.
    CREATE FUNCTION taskkit_lock(p_ids bigint[], p_reaches integer[]) RETURNS text[] LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_ids bigint[] := taskkit_below(p_ids, p_reaches);
      v_late bigint[];
      v_locked bigint;
      v_shelves integer[];
      v_flags integer;
    BEGIN
      WITH locked AS MATERIALIZED (
        SELECT s.shelf, s.state, s.flags FROM taskkit_state s WHERE s.id = ANY (v_ids) ORDER BY s.id FOR UPDATE)
      SELECT array_agg(DISTINCT l.shelf), bit_or(l.flags) FILTER (WHERE l.state = 3) INTO v_shelves, v_flags
      FROM locked l;
      -- Who was waited for may have given them children. New ones come behind everything that is held by now; those that wait
      -- again may come before it, and for them nobody waits, but begins again. A child that comes from now on needs a lock
      -- that is held.
      WHILE 0 < ANY (p_reaches) LOOP
        v_late := ARRAY(SELECT unnest(taskkit_below(p_ids, p_reaches)) EXCEPT SELECT unnest(v_ids));
        EXIT WHEN v_late = '{}';
        IF (SELECT min(l) FROM unnest(v_late) l) > (SELECT max(i) FROM unnest(v_ids) i) THEN
          PERFORM 1 FROM taskkit_state s WHERE s.id = ANY (v_late) ORDER BY s.id FOR UPDATE;
        END IF;
        WITH locked AS MATERIALIZED (
          SELECT s.id, s.shelf, s.state, s.flags FROM taskkit_state s WHERE s.id = ANY (v_late) ORDER BY s.id
          FOR UPDATE SKIP LOCKED)
        SELECT count(*), v_shelves || array_agg(l.shelf),
          coalesce(v_flags, 0) | coalesce(bit_or(l.flags) FILTER (WHERE l.state = 3), 0)
        INTO v_locked, v_shelves, v_flags FROM locked l;
        IF (SELECT count(*) FROM taskkit_state s WHERE s.id = ANY (v_late)) > v_locked THEN
          RAISE 'jobs that wait for others are being changed together with those' USING ERRCODE = '40001';
        END IF;
        v_ids := v_ids || v_late;
      END LOOP;
      IF v_flags & 64 <> 0 THEN
        PERFORM 1 FROM taskkit_permit p
        WHERE p.key = ANY (ARRAY(
          SELECT (SELECT j.limit_key FROM taskkit_job j WHERE j.id = s.id) FROM taskkit_state s
          WHERE s.id = ANY (v_ids) AND s.state + 0 = 3 AND s.flags & 64 <> 0))
        ORDER BY p.key FOR UPDATE;
      END IF;
      RETURN ARRAY(SELECT DISTINCT f.queue FROM taskkit_shelf f WHERE f.id = ANY (v_shelves));
    END $taskkit$;

    -- Which of the locks that keys share is a key's. Locks belong to the database: a table's number, which no other table
    -- there has, keeps the stores in it apart.
    CREATE FUNCTION taskkit_bucket(p_key text) RETURNS integer LANGUAGE sql IMMUTABLE AS $taskkit$
      SELECT (hashtextextended(p_key, 0) & 1023)::integer
    $taskkit$;

    -- Takes a place among those of a key; false where none is free, NULL where somebody else is about to change that.
    CREATE FUNCTION taskkit_admit(p_key text, p_count bigint) RETURNS boolean LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_used bigint;
    BEGIN
      SELECT used INTO v_used FROM taskkit_permit WHERE key = p_key FOR UPDATE SKIP LOCKED;
      IF FOUND THEN
        IF v_used >= p_count THEN RETURN false; END IF;
        UPDATE taskkit_permit SET used = used + 1 WHERE key = p_key;
        RETURN true;
      END IF;
      IF EXISTS (SELECT 1 FROM taskkit_permit WHERE key = p_key) THEN RETURN NULL; END IF;
      -- Two that make the same row would wait for each other. Who has the lock looks once more: the row may have come
      -- meanwhile, and may be going again, which a new one would wait for.
      IF NOT pg_try_advisory_xact_lock('taskkit_permit'::regclass::oid::integer, taskkit_bucket(p_key)) THEN
        RETURN NULL;
      END IF;
      IF EXISTS (SELECT 1 FROM taskkit_permit WHERE key = p_key) THEN RETURN NULL; END IF;
      INSERT INTO taskkit_permit VALUES (p_key, 1);
      RETURN true;
    END $taskkit$;

    -- The shelf of those that no longer wait for their constraints. Whoever makes theirs makes that one, too; where it is
    -- missing all the same, it is made now, since one job must not keep all exchanges from going on. NULL where somebody else
    -- is making shelves, for whom nobody waits here: whoever lets jobs become ready looks again.
    CREATE FUNCTION taskkit_plain_shelf(p_shelf integer) RETURNS integer LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_shelf taskkit_shelf;
    BEGIN
      SELECT * INTO STRICT v_shelf FROM taskkit_shelf WHERE id = p_shelf;
      v_shelf.needs := '{}';
      RETURN taskkit_try_shelf(v_shelf);
    END $taskkit$;

    -- The shelf of a job's own version, for one that somebody could not read: there it is left alone. Jobs of before the third
    -- format lie on those of any. Where somebody else is making shelves, it stays there.
    CREATE FUNCTION taskkit_own_shelf(p_id bigint, p_shelf integer) RETURNS integer LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_shelf taskkit_shelf;
    BEGIN
      SELECT * INTO STRICT v_shelf FROM taskkit_shelf WHERE id = p_shelf;
      IF v_shelf.version <> 0 THEN RETURN p_shelf; END IF;
      SELECT taskkit_shelf_version(version) INTO STRICT v_shelf.version FROM taskkit_job WHERE id = p_id;
      RETURN coalesce(taskkit_try_shelf(v_shelf), p_shelf);
    END $taskkit$;

    -- The version of the shelf for payloads of one, which is 1 where none is said. Of a shelf 0 says that they may be of any, so
    -- that for those of the version 0 the lowest number stands.
    CREATE FUNCTION taskkit_shelf_version(p_version bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $taskkit$
      SELECT CASE coalesce(p_version, 1) WHEN 0 THEN '-9223372036854775808'::bigint ELSE coalesce(p_version, 1) END
    $taskkit$;

    -- The shelf that is like one but for its id, made where it is missing; NULL where somebody else is making shelves.
    CREATE FUNCTION taskkit_try_shelf(p_shelf taskkit_shelf) RETURNS integer LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_id integer;
    BEGIN
      SELECT f.id INTO v_id FROM taskkit_shelf f
      WHERE f.queue = p_shelf.queue AND f.kind = p_shelf.kind AND f.needs = p_shelf.needs
        AND f.is_limited = p_shelf.is_limited AND f.version = p_shelf.version;
      IF v_id IS NULL AND pg_try_advisory_xact_lock(
        'taskkit_shelf'::regclass::oid::integer, taskkit_bucket(p_shelf.queue || ' ' || p_shelf.kind))
      THEN
        INSERT INTO taskkit_shelf (queue, kind, needs, is_limited, version)
        VALUES (p_shelf.queue, p_shelf.kind, p_shelf.needs, p_shelf.is_limited, p_shelf.version)
        ON CONFLICT DO NOTHING RETURNING id INTO v_id;
      END IF;
      RETURN v_id;
    END $taskkit$;

    -- Gives back the place that a running job takes among those of its key.
    CREATE FUNCTION taskkit_free(p_id bigint) RETURNS void LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_key text;
    BEGIN
      SELECT limit_key INTO v_key FROM taskkit_job WHERE id = p_id;
      UPDATE taskkit_permit SET used = used - 1 WHERE key = v_key;
      DELETE FROM taskkit_permit WHERE key = v_key AND used <= 0;
    END $taskkit$;

    -- Lets a job run when its parents have ended and its time has come.
    CREATE FUNCTION taskkit_make_ready(
      p_id bigint, p_due bigint, p_now bigint, p_attempts bigint = NULL, p_crashes bigint = NULL
    ) RETURNS void LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_row taskkit_state;
      v_state smallint;
      v_shelf integer;
    BEGIN
      SELECT * INTO STRICT v_row FROM taskkit_state WHERE id = p_id;
      IF v_row.flags & 1 <> 0 AND EXISTS (SELECT 1 FROM taskkit_edge WHERE child = p_id AND is_open) THEN
        v_state := 0;
      ELSIF p_due > p_now THEN
        v_state := 1;
      ELSE
        v_state := 2;
      END IF;
      IF v_row.state = 3 AND v_row.flags & 64 <> 0 THEN PERFORM taskkit_free(p_id); END IF;
      IF v_state = 2 AND v_row.relax_at <= p_now THEN
        v_shelf := taskkit_plain_shelf(v_row.shelf);
        IF v_shelf IS NOT NULL THEN
          v_row.shelf := v_shelf;
          v_row.relax_at := NULL;
        END IF;
      END IF;
      UPDATE taskkit_state SET
        state = v_state, shelf = v_row.shelf, relax_at = v_row.relax_at, due = p_due, since = p_now,
        attempts = coalesce(p_attempts, attempts), crashes = coalesce(p_crashes, crashes), token = NULL, owner = NULL,
        began = NULL, completed = NULL, total = NULL, ended = NULL, expiry = NULL, hold = NULL
      WHERE id = p_id;
    END $taskkit$;

    CREATE FUNCTION taskkit_hold(
      p_id bigint, p_reason jsonb, p_due bigint = NULL, p_attempts bigint = NULL, p_crashes bigint = NULL
    ) RETURNS void LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_row taskkit_state;
    BEGIN
      SELECT * INTO STRICT v_row FROM taskkit_state WHERE id = p_id;
      IF v_row.state = 3 AND v_row.flags & 64 <> 0 THEN PERFORM taskkit_free(p_id); END IF;
      IF p_reason ? 'unreadable' THEN v_row.shelf := taskkit_own_shelf(p_id, v_row.shelf); END IF;
      UPDATE taskkit_state SET
        state = 4, shelf = v_row.shelf, hold = p_reason, due = coalesce(p_due, due), attempts = coalesce(p_attempts, attempts),
        crashes = coalesce(p_crashes, crashes), token = NULL, owner = NULL, began = NULL, completed = NULL, total = NULL
      WHERE id = p_id;
    END $taskkit$;

    -- Deletes every trace of jobs but their keys.
    CREATE FUNCTION taskkit_forget(p_ids bigint[], p_flags integer) RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      DELETE FROM taskkit_state WHERE id = ANY (p_ids);
      DELETE FROM taskkit_job WHERE id = ANY (p_ids);
      PERFORM taskkit_forget_rest(p_ids, p_flags);
    END $taskkit$;

    -- What jobs have beside the rows that each has; their flags say what that may be.
    CREATE FUNCTION taskkit_forget_rest(p_ids bigint[], p_flags integer) RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      IF p_flags & 1 <> 0 THEN DELETE FROM taskkit_edge WHERE child = ANY (p_ids); END IF;
      IF p_flags & 2 <> 0 THEN DELETE FROM taskkit_checkpoint WHERE id = ANY (p_ids); END IF;
      IF p_flags & 4 <> 0 THEN DELETE FROM taskkit_error WHERE id = ANY (p_ids); END IF;
      IF p_flags & 8 <> 0 THEN DELETE FROM taskkit_step WHERE id = ANY (p_ids); END IF;
    END $taskkit$;

    -- Ends a job, and does with its children what they ask for. 'p_state' is a final one, 8 for cancelled
    -- because another one does its work, which is kept as if it were done; NULL for no trace.
    CREATE FUNCTION taskkit_end(p_id bigint, p_state integer, p_result bytea, p_now bigint)
    RETURNS void LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_ids bigint[] := ARRAY[p_id];
      v_top integer := 1;
      v_id bigint;
      v_state integer := CASE p_state WHEN 8 THEN 7 ELSE p_state END;
      v_is_done boolean := p_state IN (5, 8);
      v_result bytea := CASE WHEN p_state = 5 THEN p_result END;
      v_is_first boolean := true;
      v_row taskkit_state;
      v_job record;
      v_keep bigint;
      v_child record;
      v_children bigint[];
      v_orders boolean[];
      v_before bigint[];
    BEGIN
      -- A list instead of recursion: chains may be long. It is not made shorter, for which it would be copied each time.
      WHILE v_top > 0 LOOP
        v_id := v_ids[v_top];
        v_top := v_top - 1;
        SELECT * INTO v_row FROM taskkit_state WHERE id = v_id FOR UPDATE;
        CONTINUE WHEN NOT FOUND OR (v_row.state >= 5 AND NOT v_is_first);
        IF NOT v_is_first THEN
          v_state := 7;
          v_is_done := false;
          v_result := NULL;
        END IF;
        v_is_first := false;
        SELECT unique_key, unique_period, created, keep_finished, keep_failed INTO STRICT v_job
        FROM taskkit_job WHERE id = v_id;
        IF v_row.state = 3 AND v_row.flags & 64 <> 0 THEN PERFORM taskkit_free(v_id); END IF;
        IF v_row.flags & 32 <> 0 THEN
          IF taskkit_sum(v_job.created, v_job.unique_period) > p_now THEN
            UPDATE taskkit_key SET has_ended = true WHERE key = v_job.unique_key AND id = v_id;
          ELSE
            DELETE FROM taskkit_key WHERE key = v_job.unique_key AND id = v_id;
          END IF;
        END IF;
        -- The jobs of its key that it still waited for, be it for the order or as for any parent, come before its children of
        -- that key as well.
        v_before := '{}';
        IF v_row.state < 5 AND v_row.flags & 49 = 49 THEN
          v_before := ARRAY(
            SELECT e.parent FROM taskkit_edge e
            WHERE e.child = v_id AND e.is_open AND EXISTS (
              SELECT 1 FROM taskkit_key k WHERE k.key = v_job.unique_key AND k.id = e.parent)
            ORDER BY e.place);
        END IF;
        v_keep := CASE WHEN v_is_done THEN v_job.keep_finished ELSE v_job.keep_failed END;
        IF v_state IS NULL OR v_keep <= 0 THEN
          PERFORM taskkit_forget(ARRAY[v_id], v_row.flags);
        ELSE
          UPDATE taskkit_state SET
            state = v_state, result = v_result, ended = p_now, expiry = taskkit_sum(p_now, v_keep), token = NULL,
            owner = NULL, began = NULL, completed = NULL, total = NULL, hold = NULL
          WHERE id = v_id;
        END IF;
        CONTINUE WHEN v_row.state >= 5 OR v_row.flags & 16 = 0;
        WITH told AS (
          UPDATE taskkit_edge SET is_open = false, result = v_result WHERE parent = v_id AND is_open::integer = 1
          RETURNING child, is_order)
        SELECT coalesce(array_agg(child ORDER BY child DESC), '{}'), array_agg(is_order ORDER BY child DESC)
        INTO v_children, v_orders FROM told;
        FOR v_place IN 1 .. cardinality(v_children) LOOP
          SELECT s.id, s.state, s.due, s.hold, j.parent_failure, j.unique_key INTO v_child
          FROM taskkit_state s JOIN taskkit_job j ON j.id = s.id WHERE s.id = v_children[v_place] FOR UPDATE OF s;
          CONTINUE WHEN NOT FOUND OR v_child.state >= 5;
          IF v_before <> '{}' AND v_child.unique_key = v_job.unique_key THEN
            INSERT INTO taskkit_edge
            SELECT b.id, v_child.id,
              (SELECT coalesce(max(greatest(place, ~place)), 0) FROM taskkit_edge WHERE child = v_child.id) + b.place,
              true, true, NULL
            FROM unnest(v_before) WITH ORDINALITY b (id, place) ON CONFLICT DO NOTHING;
          END IF;
          IF v_state IS DISTINCT FROM 5 AND NOT v_orders[v_place] AND v_child.parent_failure < 2 THEN
            IF v_child.parent_failure = 0 THEN
              v_top := v_top + 1;
              v_ids[v_top] := v_child.id;
            ELSIF v_child.state = 0 THEN
              PERFORM taskkit_hold(v_child.id, jsonb_build_object('parentFailed', jsonb_build_object('_0', v_id)));
            ELSIF v_child.hold ?| ARRAY['asked', 'until'] THEN
              -- Known from the edge alone, by the complement of its place: the parent may be gone when the child is released.
              UPDATE taskkit_edge SET place = ~place WHERE parent = v_id AND child = v_child.id AND place >= 0;
            END IF;
          ELSIF v_child.state = 0 THEN
            PERFORM taskkit_make_ready(v_child.id, v_child.due, p_now);
          END IF;
        END LOOP;
      END LOOP;
    END $taskkit$;

    -- What is to happen to a job whose attempts are used up.
    CREATE FUNCTION taskkit_exhaust(p_id bigint, p_now bigint) RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      CASE (SELECT exhaustion FROM taskkit_job WHERE id = p_id)
        WHEN 0 THEN PERFORM taskkit_end(p_id, 6, NULL, p_now);
        WHEN 1 THEN PERFORM taskkit_hold(p_id, '{"gaveUp": {}}');
        ELSE PERFORM taskkit_end(p_id, NULL, NULL, p_now);
      END CASE;
    END $taskkit$;

    CREATE FUNCTION taskkit_note(p_id bigint, p_attempt bigint, p_now bigint, p_cause text, p_text text)
    RETURNS void LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_place bigint;
    BEGIN
      SELECT coalesce(max(place), 0) + 1 INTO v_place FROM taskkit_error WHERE id = p_id;
      INSERT INTO taskkit_error VALUES (p_id, v_place, p_attempt, p_now, p_cause, p_text);
      DELETE FROM taskkit_error WHERE id = p_id AND place <= v_place - 10;
      UPDATE taskkit_state SET flags = flags | 4 WHERE id = p_id AND flags & 4 = 0;
    END $taskkit$;

    -- Ends a job from outside of its attempt, and tells that. Returns the token that the caller's owner has to be told.
    CREATE FUNCTION taskkit_cancel_job(p_id bigint, p_state integer, p_owner bigint, p_now bigint)
    RETURNS bigint LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_row taskkit_state;
    BEGIN
      SELECT * INTO v_row FROM taskkit_state WHERE id = p_id FOR UPDATE;
      IF NOT FOUND OR (p_state IS NOT NULL AND v_row.state >= 5) THEN RETURN NULL; END IF;
      IF v_row.state = 3 AND v_row.owner IS DISTINCT FROM p_owner THEN
        INSERT INTO taskkit_cancel SELECT id, v_row.token FROM taskkit_owner WHERE id = v_row.owner;
      END IF;
      PERFORM taskkit_end(p_id, p_state, NULL, p_now);
      RETURN CASE WHEN v_row.state = 3 AND v_row.owner = p_owner THEN v_row.token END;
    END $taskkit$;

    -- Whoever asks for the jobs of keys holds these locks until the end of its transaction.
    CREATE FUNCTION taskkit_lock_keys(p_keys text[]) RETURNS void LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_bucket integer;
    BEGIN
      FOR v_bucket IN SELECT DISTINCT taskkit_bucket(k) FROM unnest(p_keys) k ORDER BY 1 LOOP
        PERFORM pg_advisory_xact_lock('taskkit_key'::regclass::oid::integer, v_bucket);
      END LOOP;
    END $taskkit$;
    """
}
#endif
