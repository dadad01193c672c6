#if Postgres
extension PostgresSchema {
  /// What clients call besides exchanges: one function for everything that an owner asks for, each one statement and one
  /// transaction, so that it works behind a pooler, too.
  ///
  /// The planner is told to follow the indexes: tables that are empty at one moment and full at the next have no statistics
  /// that it could go by, and once it sorts what an index has in order, each claim looks at every job that waits. Nor may it
  /// look for jobs by their ids in the index of a state, which seems as good to a session that begins while there are few
  /// jobs and goes on with that plan for ever: `state + 0` matches none of those, as `is_open::integer = 1` does none of the edges.
  ///
  /// Nor may it go through a table to find a few rows in it. One that was empty when it was tidied up is that to the planner
  /// until the server counts again, however many rows have come since, and to go through nothing seems cheapest. So each row is
  /// looked up by itself, by a subquery with `OFFSET 0`, which is never turned round, or all of them by a list.
  static let operations = """
    -- Deletes ended jobs whose retention has passed, but those that somebody else holds, and tidies the counts and the doubts
    -- up. 'next' is how long until there is something to delete: 0 where there may be more than it deletes at once.
    CREATE FUNCTION taskkit_sweep(p_now bigint, p_limit bigint) RETURNS jsonb LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_ids bigint[];
      v_first bigint;
    BEGIN
      DELETE FROM taskkit_key WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM taskkit_key WHERE has_ended AND until <= p_now FOR UPDATE SKIP LOCKED));
      SELECT array_agg(id) INTO v_ids FROM (
        SELECT id FROM taskkit_state WHERE expiry <= p_now ORDER BY expiry, id LIMIT p_limit FOR UPDATE SKIP LOCKED) q;
      IF v_ids IS NOT NULL THEN PERFORM taskkit_forget(v_ids, 15); END IF;
      PERFORM taskkit_tidy_counts();
      SELECT expiry INTO v_first FROM taskkit_state WHERE expiry IS NOT NULL ORDER BY expiry LIMIT 1;
      -- Who is gone is doubted no more, nor who has come back since. Last of all: who doubts him
      -- again waits for that.
      DELETE FROM taskkit_doubt d USING (
        SELECT x.owner, x.by FROM taskkit_doubt x
        WHERE NOT EXISTS (SELECT 1 FROM taskkit_owner w WHERE w.id = x.owner AND w.lease_until = x.until)
        FOR UPDATE SKIP LOCKED) o
      WHERE d.owner = o.owner AND d.by = o.by;
      RETURN jsonb_build_object('next', CASE
        WHEN v_first > p_now THEN v_first - p_now
        WHEN v_first <= p_now AND coalesce(cardinality(v_ids), 0) >= p_limit THEN 0
        -- Whoever holds it may do so for long, and nobody waits for its end.
        WHEN v_first <= p_now THEN 1000000 END);
    END $taskkit$;

    -- Puts the counts of those who are gone together, and forgets those of queues in which nothing is where there are many:
    -- programs may name queues by their users, and each process reads everything at each look. Only one does it at a time,
    -- and nobody else writes to slot 0, so that it waits for none.
    CREATE FUNCTION taskkit_tidy_counts() RETURNS void LANGUAGE plpgsql SET search_path = @schema@, pg_temp AS $taskkit$
    DECLARE
      v_quiet text[];
    BEGIN
      IF NOT pg_try_advisory_xact_lock('taskkit_count'::regclass::oid::integer, 0) THEN RETURN; END IF;
      SELECT array_agg(q.queue) INTO v_quiet FROM (
        SELECT c.queue FROM (
          SELECT queue, sum(count) AS count FROM taskkit_count WHERE queue <> '' GROUP BY queue, kind, state) c
        GROUP BY c.queue HAVING bool_and(c.count = 0)) q;
      IF cardinality(v_quiet) > \(PostgresWatch.manyQueues) THEN
        -- Together they count nothing, and all of that may go, whatever those add that nobody sees yet.
        WITH held AS MATERIALIZED (
          SELECT queue, kind, state, slot, count FROM taskkit_count WHERE queue = ANY (v_quiet) FOR UPDATE SKIP LOCKED
        ), nothing AS (
          SELECT queue FROM (SELECT queue, sum(count) AS count FROM held GROUP BY queue, kind, state) h
          GROUP BY queue HAVING bool_and(count = 0))
        DELETE FROM taskkit_count c USING held h
        WHERE h.queue IN (SELECT n.queue FROM nothing n)
          AND c.queue = h.queue AND c.kind = h.kind AND c.state = h.state AND c.slot = h.slot;
        -- Who has seen how much had moved in such a queue would not see it move by as much again.
        IF FOUND THEN
          INSERT INTO taskkit_count AS c VALUES ('', '', 0, 0, 0, 1)
          ON CONFLICT (queue, kind, state, slot) DO UPDATE SET moves = c.moves + 1;
        END IF;
      END IF;
      WITH gone AS (
        DELETE FROM taskkit_count c USING (
          SELECT queue, kind, state, slot FROM taskkit_count
          WHERE (slot > 0 AND slot <> ALL (ARRAY(SELECT id FROM taskkit_owner)))
            OR (slot < 0 AND -1 - slot <> ALL (ARRAY(SELECT pid::bigint FROM pg_stat_activity)))
          FOR UPDATE SKIP LOCKED) o
        WHERE c.queue = o.queue AND c.kind = o.kind AND c.state = o.state AND c.slot = o.slot
        RETURNING c.queue, c.kind, c.state, c.count, c.moves)
      INSERT INTO taskkit_count AS c
      SELECT queue, kind, state, 0, sum(count), sum(moves) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (queue, kind, state, slot) DO UPDATE
      SET count = c.count + excluded.count, moves = c.moves + excluded.moves;
    END $taskkit$;

    CREATE FUNCTION taskkit_do(
      p_format bigint, p_owner bigint, p_op bigint, p_place bigint, p_time bigint, p_is_relaxed boolean, p_what text,
      p_args jsonb, p_payloads bytea[]
    ) RETURNS text LANGUAGE plpgsql
    SET search_path = @schema@, pg_temp SET enable_seqscan = off SET jit = off AS $taskkit$
    DECLARE
      v_now bigint;
      v_answer jsonb := '{}';
      v_queues text[];
    BEGIN
      PERFORM taskkit_begin(p_format, p_owner, p_op, p_place, p_is_relaxed);
      -- Only now, since it may have waited.
      v_now := coalesce(p_time, taskkit_clock());
      CASE p_what
        WHEN 'enqueue' THEN v_answer := taskkit_add(p_owner, p_time, p_args, p_payloads);
        WHEN 'change' THEN
          PERFORM taskkit_gather();
          v_answer := taskkit_change(p_owner, p_time, p_args);
          PERFORM taskkit_add_gathered();
        WHEN 'pause' THEN
          INSERT INTO taskkit_pause VALUES ((p_args->>'subject')::integer, p_args->>'name', p_args->>'by', v_now)
          ON CONFLICT DO NOTHING;
          v_queues := ARRAY[CASE (p_args->>'subject')::integer WHEN 0 THEN p_args->>'name' ELSE '' END];
        WHEN 'resume' THEN
          DELETE FROM taskkit_pause WHERE subject = (p_args->>'subject')::integer AND name = p_args->>'name';
          -- Its slots have passed meanwhile.
          IF FOUND AND (p_args->>'subject')::integer = 1 THEN
            UPDATE taskkit_schedule SET latest = v_now WHERE name = p_args->>'name';
          END IF;
          v_queues := ARRAY[CASE (p_args->>'subject')::integer WHEN 0 THEN p_args->>'name' ELSE '' END];
        WHEN 'rate' THEN
          IF p_args ? 'count' THEN
            INSERT INTO taskkit_rate
            VALUES (
              (p_args->>'is_key')::boolean, p_args->>'name', (p_args->>'count')::bigint, (p_args->>'period')::bigint)
            ON CONFLICT (is_key, name) DO UPDATE SET count = excluded.count, period = excluded.period;
          ELSE
            DELETE FROM taskkit_rate WHERE is_key = (p_args->>'is_key')::boolean AND name = p_args->>'name';
            DELETE FROM taskkit_start WHERE is_key = (p_args->>'is_key')::boolean AND name = p_args->>'name';
          END IF;
          v_queues := ARRAY[CASE WHEN (p_args->>'is_key')::boolean THEN '' ELSE p_args->>'name' END];
        WHEN 'schedule' THEN
          INSERT INTO taskkit_schedule VALUES (p_args->>'name', (p_args->>'begun')::bigint, NULL, 0)
          ON CONFLICT DO NOTHING;
          -- What lies ahead was written down by a clock that was ahead.
          SELECT jsonb_build_object(
            'begun', s.begun, 'count', s.count, 'latest', CASE WHEN s.latest <= v_now THEN s.latest ELSE (
              SELECT max(o.at) FROM taskkit_occurrence o WHERE o.schedule = s.name AND o.at <= v_now) END)
          INTO STRICT v_answer FROM taskkit_schedule s WHERE s.name = p_args->>'name';
        WHEN 'beat' THEN
          -- Each time, and not only when half of it has passed: that would look like an outage, and who was cut off judges
          -- nobody. What it says nobody would miss.
          UPDATE taskkit_owner SET lease_until = taskkit_clock() + lease WHERE id = p_owner;
          RETURN v_answer;
        WHEN 'sweep' THEN v_answer := taskkit_sweep(v_now, (p_args->>'limit')::bigint);
        WHEN 'close' THEN
          SELECT taskkit_lock(array_agg(id), array_agg(0)) INTO v_queues
          FROM taskkit_state WHERE state = 3 AND owner = p_owner;
          PERFORM taskkit_gather();
          PERFORM taskkit_release(p_owner, false, coalesce(p_time, taskkit_clock()));
          PERFORM taskkit_add_gathered();
          -- In the transaction itself, since nobody is there afterwards who could; it happens once.
          PERFORM taskkit_tell(p_owner, v_queues) WHERE v_queues <> '{}';
          RETURN v_answer;
      END CASE;
      IF v_queues IS NOT NULL THEN
        PERFORM taskkit_touch(v_queues);
        v_answer := jsonb_build_object('news', to_jsonb(v_queues));
      END IF;
      PERFORM taskkit_said(p_owner, p_op, p_place, v_answer);
      RETURN v_answer;
    END $taskkit$;
    """
}
#endif
