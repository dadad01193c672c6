#if Postgres
import TaskKitDurable

extension PostgresSchema {
  /// New jobs, of stores and of whoever can send SQL.
  static let enqueuing = """
    CREATE FUNCTION taskkit_write(
      p_now bigint, p_jobs jsonb, p_payloads bytea[], p_ids bigint[], p_is_waiting boolean, p_flags integer
    ) RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      WITH new AS MATERIALIZED (SELECT * FROM taskkit_read(p_now, p_jobs, p_payloads, p_ids, p_is_waiting)), written AS (
        INSERT INTO taskkit_job
        SELECT id, queue, kind, p_now, attempts, coalesce(crashes, 3), deadline, needs, needs_until, key, period,
          limit_key, limit_count, coalesce(failure, 0), coalesce(exhaustion, 0),
          CASE WHEN kept IS NULL THEN 0 WHEN kept >= 0 THEN kept END, kept_failed, tags, schedule, occurrence,
          coalesce(version, 1), payload
        FROM new
      )
      INSERT INTO taskkit_state (id, shelf, state, flags, major, minor, attempts, crashes, due, since, relax_at, lane)
      SELECT n.id, f.id, n.state,
        p_flags | CASE WHEN n.key IS NULL THEN 0 ELSE 32 END | CASE WHEN n.limit_key IS NULL THEN 0 ELSE 64 END
          | CASE WHEN n.kept <> 0 THEN 128 ELSE 0 END,
        -1 - coalesce(n.major, 10), -1 - coalesce(n.minor, 10), 0, 0, n.due, p_now, n.relax_at,
        taskkit_lane(n.limit_key, n.limit_count)
      FROM new n JOIN taskkit_shelf f ON f.queue = n.queue AND f.kind = n.kind AND f.needs = n.shelf
        AND f.is_limited = (n.limit_key IS NOT NULL) AND f.version = taskkit_shelf_version(n.version);
    END $taskkit$;

    -- New jobs as rows, each with its payload and its id: all three lists are gone through once, since each look at a place
    -- in an array begins at its front. What is missing is what most have: 'kept' is 0, and less than that means for ever.
    CREATE FUNCTION taskkit_read(
      p_now bigint, p_jobs jsonb, p_payloads bytea[], p_ids bigint[], p_is_waiting boolean
    ) RETURNS TABLE (
      payload bytea, id bigint, queue text, kind text, version bigint, major bigint, minor bigint, attempts bigint, crashes bigint,
      deadline bigint, needs text[], key text, period bigint, limit_key text, limit_count bigint, failure smallint,
      exhaustion smallint, kept bigint, kept_failed bigint, tags text[], schedule text, occurrence bigint,
      due bigint, needs_until bigint, state smallint, shelf text[], relax_at bigint
    ) LANGUAGE sql STABLE AS $taskkit$
      SELECT w.*, s.shelf, CASE WHEN s.shelf <> '{}' THEN w.needs_until END
      FROM (
        SELECT v.*, CASE WHEN p_is_waiting THEN 0 WHEN v.due > p_now THEN 1 ELSE 2 END::smallint AS state
        FROM (
          SELECT x.payload, x.id, coalesce(x.queue, 'default') AS queue, x.kind, x.version, x.major,
            x.minor, x.attempts, x.crashes, x.deadline, x.needs, x.key, x.period, x.limit_key, x.limit_count, x.failure,
            x.exhaustion, x.kept, x.kept_failed, x.tags, x.schedule, x.occurrence,
            coalesce(x.at, taskkit_sum(p_now, x.after), p_now) AS due,
            coalesce(x.relaxed_at, taskkit_sum(p_now, x.relaxed_after)) AS needs_until
          FROM ROWS FROM (
            jsonb_to_recordset(p_jobs) AS (
              queue text, kind text, version bigint, major bigint, minor bigint, attempts bigint, crashes bigint,
              deadline bigint, needs text[], key text, period bigint, limit_key text, limit_count bigint,
              failure smallint, exhaustion smallint, kept bigint, kept_failed bigint, tags text[], schedule text,
              occurrence bigint, at bigint, after bigint, relaxed_at bigint, relaxed_after bigint),
            unnest(p_payloads), unnest(p_ids)
          ) AS x (
            queue, kind, version, major, minor, attempts, crashes, deadline, needs, key, period, limit_key, limit_count,
            failure, exhaustion, kept, kept_failed, tags, schedule, occurrence, at, after, relaxed_at, relaxed_after,
            payload, id)
        ) v
      ) w, LATERAL (
        SELECT CASE WHEN w.needs IS NULL OR (w.state = 2 AND w.needs_until <= p_now) THEN '{}'
          ELSE (SELECT array_agg(n ORDER BY n COLLATE "C") FROM unnest(w.needs) n) END AS shelf
      ) s
    $taskkit$;

    -- Who waits for constraints only until a time needs the shelf without any after that. 'id' is that of a job which lies
    -- there, where ids are given.
    CREATE FUNCTION taskkit_missing_shelves(p_jobs jsonb, p_ids bigint[] = NULL)
    RETURNS TABLE (
      queue text, kind text, needs text[], is_limited boolean, version bigint, id bigint
    ) LANGUAGE sql STABLE AS $taskkit$
      SELECT DISTINCT x.queue, x.kind, n.shelf, x.limit_key IS NOT NULL, taskkit_shelf_version(x.version), x.id
      FROM taskkit_read(0, p_jobs, NULL, p_ids, true) x, LATERAL (
        SELECT x.shelf UNION SELECT '{}' WHERE x.needs_until IS NOT NULL) n (shelf)
      WHERE NOT EXISTS (
        SELECT 1 FROM taskkit_shelf f
        WHERE f.queue = x.queue AND f.kind = x.kind AND f.needs = n.shelf AND f.is_limited = (x.limit_key IS NOT NULL)
          AND f.version = taskkit_shelf_version(x.version))
    $taskkit$;

    -- Makes the shelves that jobs need and that are not there, in one order: of two that make the same one the second waits
    -- for the first. A store does it in a transaction of its own, so that nobody waits for who waits for something else.
    CREATE FUNCTION taskkit_make_shelves(p_jobs jsonb) RETURNS void LANGUAGE plpgsql
    SET search_path = @schema@, pg_temp AS $taskkit$
    DECLARE
      v_bucket integer;
    BEGIN
      FOR v_bucket IN
        SELECT DISTINCT taskkit_bucket(m.queue || ' ' || m.kind) FROM taskkit_missing_shelves(p_jobs) m ORDER BY 1
      LOOP
        PERFORM pg_advisory_xact_lock('taskkit_shelf'::regclass::oid::integer, v_bucket);
      END LOOP;
      IF FOUND THEN
        INSERT INTO taskkit_shelf (queue, kind, needs, is_limited, version)
        SELECT m.queue, m.kind, m.needs, m.is_limited, m.version FROM taskkit_missing_shelves(p_jobs) m
        ON CONFLICT DO NOTHING;
      END IF;
    END $taskkit$;

    -- The same for a store, whose other work waits for this: two seconds in all where transactions of others make some of
    -- them and go on. The others are made all the same, so that nobody suffers for who needs one of those. Returns a list of
    -- the places, from 0, of the jobs whose shelves are still missing. Nobody takes the owner for dead meanwhile, whose other
    -- calls would have prolonged its lease: its row is held. NULL for who holds up no others, and asks for no owner: it may
    -- have asked for the format before, and a build that changes the schema locks these the other way round.
    CREATE FUNCTION taskkit_shelve(p_owner bigint, p_jobs jsonb) RETURNS text LANGUAGE plpgsql
    SET search_path = @schema@, pg_temp AS $taskkit$
    DECLARE
      v_end timestamptz;
      v_bucket integer;
      v_passed integer[] := '{}';
    BEGIN
      IF p_owner IS NOT NULL THEN PERFORM taskkit_prolong(p_owner); END IF;
      -- Only now: who waits for its owner waits for a change of the schema, and for as long as that takes. What is set here
      -- holds until the transaction ends, which has nothing else to do.
      v_end := clock_timestamp() + interval '2s';
      FOR v_bucket IN
        SELECT DISTINCT taskkit_bucket(m.queue || ' ' || m.kind) FROM taskkit_missing_shelves(p_jobs) m ORDER BY 1
      LOOP
        PERFORM set_config(
          'lock_timeout', greatest(1, extract(epoch FROM v_end - clock_timestamp()) * 1000)::integer || 'ms', true);
        BEGIN
          PERFORM pg_advisory_xact_lock('taskkit_shelf'::regclass::oid::integer, v_bucket);
        EXCEPTION WHEN lock_not_available THEN v_passed := v_passed || v_bucket;
        END;
      END LOOP;
      PERFORM set_config('lock_timeout', '2s', true);
      INSERT INTO taskkit_shelf (queue, kind, needs, is_limited, version)
      SELECT m.queue, m.kind, m.needs, m.is_limited, m.version FROM taskkit_missing_shelves(p_jobs) m
      WHERE taskkit_bucket(m.queue || ' ' || m.kind) <> ALL (v_passed)
      ON CONFLICT DO NOTHING;
      RETURN (
        SELECT coalesce(jsonb_agg(DISTINCT m.id - 1), '[]') FROM taskkit_missing_shelves(
          p_jobs, ARRAY(SELECT generate_series(1, jsonb_array_length(p_jobs)))) m);
    END $taskkit$;

    -- Counts the slots of schedules that a batch has taken, which are at these places of it, from 0, and were written down: each
    -- schedule once, since a transaction passes by all that a row was before. Whoever calls it holds the locks of the schedules.
    CREATE FUNCTION taskkit_occur(p_jobs jsonb, p_places integer[]) RETURNS void LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_taken record;
      v_count bigint;
      v_last bigint;
      v_furthest bigint;
    BEGIN
      FOR v_taken IN
        SELECT job->>'schedule' AS schedule, (array_agg((job->>'occurrence')::bigint ORDER BY place))[1] AS begun,
          max((job->>'occurrence')::bigint) AS latest, count(*) AS count
        FROM unnest(p_places) place, LATERAL (SELECT p_jobs->place AS job) j
        GROUP BY 1
      LOOP
        INSERT INTO taskkit_schedule AS s VALUES (v_taken.schedule, v_taken.begun, v_taken.latest, v_taken.count)
        ON CONFLICT (name) DO UPDATE SET latest = greatest(s.latest, excluded.latest), count = s.count + excluded.count
        RETURNING s.count INTO v_count;
        CONTINUE WHEN
          v_count / \(OccurrenceMemory.interval) = (v_count - v_taken.count) / \(OccurrenceMemory.interval);
        -- Of old occurrences only the ends of their rows are kept: an entry with a negative number closes one, and what lies before
        -- that is no gap.
        SELECT at INTO v_last FROM taskkit_occurrence WHERE schedule = v_taken.schedule
        ORDER BY at DESC LIMIT 1 OFFSET \(OccurrenceMemory.single);
        CONTINUE WHEN NOT FOUND;
        SELECT at INTO v_furthest FROM taskkit_occurrence WHERE schedule = v_taken.schedule
        ORDER BY at DESC LIMIT 1 OFFSET \(OccurrenceMemory.single - OccurrenceMemory.compared);
        UPDATE taskkit_occurrence SET id = -id WHERE schedule = v_taken.schedule AND at IN (
          SELECT r.at FROM (
            SELECT g.at, g.id, g.gap, max(CASE WHEN g.id > 0 THEN g.gap END) OVER (
              ORDER BY g.at ROWS BETWEEN 1 FOLLOWING AND \(OccurrenceMemory.compared) FOLLOWING) AS longest
            FROM (
              SELECT o.at, o.id, o.at - lag(o.at) OVER (ORDER BY o.at) AS gap FROM taskkit_occurrence o
              WHERE o.schedule = v_taken.schedule AND o.at <= v_furthest) g) r
          WHERE r.id > 0 AND r.at <= v_last AND r.gap <= r.longest);
        DELETE FROM taskkit_occurrence o WHERE schedule = v_taken.schedule AND at <= v_last AND id < 0 AND (
          SELECT n.id FROM taskkit_occurrence n WHERE n.schedule = v_taken.schedule AND n.at > o.at
          ORDER BY n.at LIMIT 1) < 0;
      END LOOP;
    END
    $taskkit$;

    -- The job of an occurrence that was written down: its own, or the one that closes the row in which it lies. Where as many are
    -- counted as the limit says, that of the latest.
    CREATE FUNCTION taskkit_occurred(p_schedule text, p_at bigint, p_limit bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $taskkit$
      SELECT coalesce(
        (SELECT CASE WHEN at = p_at OR id < 0 THEN abs(id) END FROM taskkit_occurrence
          WHERE schedule = p_schedule AND at >= p_at ORDER BY at LIMIT 1),
        (SELECT abs(id) FROM taskkit_occurrence
          WHERE schedule = p_schedule
            AND coalesce((SELECT count FROM taskkit_schedule WHERE name = p_schedule), 0) >= p_limit
          ORDER BY at DESC LIMIT 1))
    $taskkit$;

    -- The SQLSTATE 'TK002' is for what makes no sense, 'TK006' for an owner who has to make shelves first. 'p_time' is what the
    -- calendar says; NULL where that is the server's.
    CREATE FUNCTION taskkit_add(p_owner bigint, p_time bigint, p_jobs jsonb, p_payloads bytea[])
    RETURNS jsonb LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_now bigint := coalesce(p_time, taskkit_clock());
      v_count integer := jsonb_array_length(p_jobs);
      v_ids bigint[] := '{}';
      v_outcomes jsonb[] := '{}';
      v_job jsonb;
      v_id bigint;
      v_next bigint;
      v_first bigint;
      v_unfinished bigint[];
      v_told bigint[];
      v_token bigint;
      v_parents bigint[];
      v_orders boolean[];
      v_row record;
      v_failed bigint;
      v_is_waiting boolean;
      v_schedules bigint[];
      v_schedule bigint;
      v_taken bigint[];
      v_slots integer[] := '{}';
      v_news text[];
    BEGIN
      IF p_owner IS NOT NULL AND EXISTS (SELECT FROM taskkit_missing_shelves(p_jobs)) THEN
        RAISE 'there is no shelf for some of the jobs' USING ERRCODE = 'TK006';
      END IF;
      IF NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements(p_jobs) j WHERE j ? 'key' OR j ? 'parents' OR j ? 'schedule')
      THEN
        IF p_owner IS NULL THEN
          PERFORM taskkit_make_shelves(p_jobs);
          v_now := coalesce(p_time, taskkit_clock());
        END IF;
        SELECT array_agg(nextval('taskkit_job_id')) INTO v_ids FROM generate_series(1, v_count);
        PERFORM taskkit_write(v_now, p_jobs, p_payloads, v_ids, false, 0);
        RETURN jsonb_build_object('ids', coalesce(to_jsonb(v_ids), '[]'));
      END IF;
      IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE 'jobs with keys, parents or occurrences are enqueued in transactions of the level READ COMMITTED'
          USING ERRCODE = 'TK002';
      END IF;
      SELECT last_value + is_called::integer INTO v_next FROM taskkit_job_id;
      IF EXISTS (
        SELECT 1 FROM jsonb_array_elements(p_jobs) j, jsonb_array_elements_text(j->'parents') p
        WHERE p::bigint >= v_next)
      THEN
        RAISE 'a job waits for one that was never there' USING ERRCODE = 'TK002';
      END IF;
      PERFORM taskkit_lock_keys(array_agg(k)) FROM (
        SELECT 'k' || (j->>'key') FROM jsonb_array_elements(p_jobs) j WHERE j ? 'key'
        UNION SELECT 's' || (j->>'schedule') FROM jsonb_array_elements(p_jobs) j WHERE j ? 'schedule') q (k);
      -- Everything that it may have to do with, since the jobs are taken one after the other.
      SELECT taskkit_lock(array_agg(id), array_agg(reach)) INTO v_news FROM (
        SELECT p::bigint AS id, 0 AS reach
        FROM jsonb_array_elements(p_jobs) j, jsonb_array_elements_text(j->'parents') p WHERE p::bigint > 0
        UNION ALL
        SELECT k.id, c.reach
        FROM (
          SELECT DISTINCT j->>'key' AS key, CASE j->>'conflict' WHEN 'replace' THEN 2 ELSE 0 END AS reach
          FROM jsonb_array_elements(p_jobs) j WHERE j->>'conflict' IN ('replace', 'append')
        ) c, LATERAL (SELECT id FROM taskkit_key WHERE key = c.key AND NOT has_ended OFFSET 0) k
        -- What others of the batch wait for may turn out to be there already.
        UNION ALL
        SELECT k.id, 0
        FROM jsonb_array_elements(p_jobs) WITH ORDINALITY j (job, place), LATERAL (
          SELECT id FROM taskkit_key WHERE key = j.job->>'key' AND NOT has_ended
          UNION ALL SELECT max(id) FROM taskkit_key WHERE key = j.job->>'key' AND has_ended::integer = 1 AND until > v_now
          UNION ALL SELECT taskkit_occurred(
            j.job->>'schedule', (j.job->>'occurrence')::bigint, (j.job->>'occurrences')::bigint)) k (id)
        WHERE j.place IN (
          SELECT -p::bigint FROM jsonb_array_elements(p_jobs) c, jsonb_array_elements_text(c->'parents') p)) q;
      -- Behind the jobs: whoever enqueues in his own transaction may hold some from before.
      IF p_owner IS NULL THEN PERFORM taskkit_make_shelves(p_jobs); END IF;
      -- Once more, since it may have waited for long.
      v_now := coalesce(p_time, taskkit_clock());
      PERFORM taskkit_gather();
      -- Which of the batch's schedules each job is of, by number, and how many slots of it were taken.
      v_taken := array_fill(0::bigint, ARRAY[v_count]);
      SELECT array_agg(q.schedule ORDER BY q.place) INTO v_schedules FROM (
        SELECT j.place, dense_rank() OVER (ORDER BY j.job->>'schedule') AS schedule
        FROM jsonb_array_elements(p_jobs) WITH ORDINALITY j (job, place)) q;
      FOR v_place IN 0 .. v_count - 1 LOOP
        v_job := p_jobs->v_place;
        IF v_job ? 'schedule' THEN
          v_schedule := v_schedules[v_place + 1];
          v_id := taskkit_occurred(
            v_job->>'schedule', (v_job->>'occurrence')::bigint,
            (v_job->>'occurrences')::bigint - v_taken[v_schedule]);
          IF v_id IS NOT NULL THEN
            v_ids := v_ids || v_id;
            v_outcomes := v_outcomes || jsonb_build_object(v_place::text, jsonb_build_object('kept', true));
            CONTINUE;
          END IF;
          -- Whichever job it becomes. The row of the schedule is written at the end.
          v_taken[v_schedule] := v_taken[v_schedule] + 1;
          v_slots := v_slots || v_place;
        END IF;
        v_parents := '{}';
        v_orders := '{}';
        IF v_job ? 'key' THEN
          -- The last one is enough where they are not replaced.
          SELECT coalesce(array_agg(k.id ORDER BY k.id), '{}') INTO v_unfinished FROM (
            SELECT id FROM taskkit_key WHERE key = v_job->>'key' AND NOT has_ended
            ORDER BY id DESC LIMIT CASE WHEN v_job->>'conflict' = 'replace' THEN NULL ELSE 1 END) k;
          CASE coalesce(v_job->>'conflict', 'keep')
            WHEN 'keep' THEN
              v_id := v_unfinished[cardinality(v_unfinished)];
              IF v_id IS NULL THEN
                SELECT max(id) INTO v_id FROM taskkit_key
                WHERE key = v_job->>'key' AND has_ended::integer = 1 AND until > v_now;
              END IF;
              IF v_id IS NOT NULL THEN
                IF v_job ? 'schedule' THEN
                  INSERT INTO taskkit_occurrence VALUES (v_job->>'schedule', (v_job->>'occurrence')::bigint, v_id);
                END IF;
                v_ids := v_ids || v_id;
                v_outcomes := v_outcomes || jsonb_build_object(v_place::text, jsonb_build_object('kept', true));
                CONTINUE;
              END IF;
            WHEN 'replace' THEN
              v_told := '{}';
              FOREACH v_id IN ARRAY v_unfinished LOOP
                v_token := taskkit_cancel_job(v_id, 8, p_owner, v_now);
                IF v_token IS NOT NULL THEN v_told := v_told || v_token; END IF;
              END LOOP;
              IF cardinality(v_unfinished) > 0 THEN
                -- Whoever has a transaction of his own decides for what that waits.
                IF p_owner IS NOT NULL THEN PERFORM taskkit_flush(); END IF;
                v_outcomes := v_outcomes || jsonb_build_object(
                  v_place::text, jsonb_build_object('replaced', v_unfinished, 'cancelled', v_told));
              END IF;
            WHEN 'append' THEN
              IF cardinality(v_unfinished) > 0 THEN
                v_parents := ARRAY[v_unfinished[cardinality(v_unfinished)]];
                v_orders := '{true}';
              END IF;
            ELSE RAISE '''%'' is no conflict: keep, replace, append', v_job->>'conflict' USING ERRCODE = 'TK002';
          END CASE;
        END IF;
        IF v_job ? 'parents' THEN
          -- Each once, where it is named first, behind the one that only its key makes it wait for; who is named, too, is no
          -- such one. Numbers from -1 down are places in this batch.
          SELECT array_agg(e.id ORDER BY e.place), array_agg(e.is_order ORDER BY e.place) INTO v_parents, v_orders
          FROM (
            SELECT n.id, min(n.place) AS place, bool_and(n.is_order) AS is_order FROM (
              SELECT b AS id, 0 AS place, true AS is_order FROM unnest(v_parents) b
              UNION ALL
              SELECT CASE WHEN p::bigint < 0 THEN v_ids[-p::bigint] ELSE p::bigint END, t.place, false
              FROM jsonb_array_elements_text(v_job->'parents') WITH ORDINALITY t (p, place)) n
            GROUP BY n.id) e;
          v_parents := coalesce(v_parents, '{}');
          v_orders := coalesce(v_orders, '{}');
        END IF;
        v_id := nextval('taskkit_job_id');
        v_first := coalesce(v_first, v_id);
        v_failed := NULL;
        v_is_waiting := false;
        FOR v_parent IN 1 .. cardinality(v_parents) LOOP
          SELECT state, result INTO v_row FROM taskkit_state WHERE id = v_parents[v_parent] FOR NO KEY UPDATE;
          INSERT INTO taskkit_edge VALUES (
            v_parents[v_parent], v_id, v_parent, v_orders[v_parent], coalesce(v_row.state < 5, false),
            CASE WHEN v_row.state = 5 THEN v_row.result END);
          IF v_row.state < 5 THEN
            v_is_waiting := true;
            UPDATE taskkit_state SET flags = flags | 16 WHERE id = v_parents[v_parent] AND flags & 16 = 0;
          -- Nothing has succeeded yet of what the same call has written: what is gone of it was cancelled and not kept. Jobs
          -- of others that its keys are kept for were there before.
          ELSIF (v_row.state > 5 OR (v_row.state IS NULL AND v_parents[v_parent] >= v_first)) AND NOT v_orders[v_parent] THEN
            v_failed := coalesce(v_failed, v_parents[v_parent]);
          END IF;
        END LOOP;
        IF v_job ? 'key' THEN
          INSERT INTO taskkit_key
          VALUES (v_job->>'key', v_id, taskkit_sum(v_now, (v_job->>'period')::bigint), false);
        END IF;
        IF v_job ? 'schedule' THEN
          INSERT INTO taskkit_occurrence VALUES (v_job->>'schedule', (v_job->>'occurrence')::bigint, v_id);
        END IF;
        PERFORM taskkit_write(
          -- Not as a slice, for which the whole array is copied each time.
          v_now, jsonb_build_array(v_job), ARRAY[p_payloads[v_place + 1]], ARRAY[v_id], v_is_waiting,
          CASE WHEN cardinality(v_parents) > 0 THEN 1 ELSE 0 END);
        v_ids := v_ids || v_id;
        IF v_failed IS NOT NULL THEN
          CASE coalesce((v_job->>'failure')::integer, 0)
            WHEN 0 THEN PERFORM taskkit_end(v_id, 7, NULL, v_now);
            WHEN 1 THEN
              PERFORM taskkit_hold(v_id, jsonb_build_object('parentFailed', jsonb_build_object('_0', v_failed)));
            ELSE NULL;
          END CASE;
        END IF;
      END LOOP;
      PERFORM taskkit_occur(p_jobs, v_slots);
      PERFORM taskkit_add_gathered();
      RETURN jsonb_build_object(
        'ids', to_jsonb(v_ids), 'outcomes', coalesce(
          (SELECT jsonb_object_agg(e.key, e.value) FROM unnest(v_outcomes) o, jsonb_each(o) e), '{}'),
        'news', to_jsonb(v_news));
    END $taskkit$;

    -- Enqueues a job in the caller's transaction; see the documentation of TaskKitPostgres.
    CREATE FUNCTION taskkit_enqueue(
      kind text, payload jsonb, queue text = 'default', major bigint = 10, minor bigint = 10,
      run_at timestamptz = NULL, attempts bigint = 3, version bigint = 1, unique_key text = NULL,
      conflict text = 'keep', parents bigint[] = NULL, needs text[] = NULL, limit_key text = NULL,
      limit_count bigint = 1, deadline interval = NULL, tags text[] = NULL
    ) RETURNS bigint LANGUAGE plpgsql
    SET search_path = @schema@, pg_temp SET enable_seqscan = off SET jit = off AS $taskkit$
    DECLARE
      v_job jsonb;
    BEGIN
      PERFORM taskkit_check(@format@, '40001');
      IF coalesce(taskkit_enqueue.kind, '') = '' OR taskkit_enqueue.payload IS NULL THEN
        RAISE 'a job needs a kind and a payload' USING ERRCODE = 'TK002';
      END IF;
      IF taskkit_enqueue.attempts < 1 OR taskkit_enqueue.limit_count < 1 THEN
        RAISE 'a job needs at least one attempt, and its limit must let at least one run' USING ERRCODE = 'TK002';
      END IF;
      IF taskkit_enqueue.version < 1 THEN
        RAISE 'the versions of a payload begin with 1' USING ERRCODE = 'TK002';
      END IF;
      IF taskkit_enqueue.deadline <= interval '0' THEN
        RAISE 'a job needs some time until its deadline' USING ERRCODE = 'TK002';
      END IF;
      IF array_position(taskkit_enqueue.tags, NULL) IS NOT NULL OR array_position(taskkit_enqueue.needs, NULL) IS NOT NULL
      THEN
        RAISE 'a tag and a constraint have a name, which NULL is not' USING ERRCODE = 'TK002';
      END IF;
      IF EXISTS (SELECT 1 FROM unnest(taskkit_enqueue.parents) p WHERE p IS NULL OR p < 1) THEN
        RAISE 'a parent is named by its id' USING ERRCODE = 'TK002';
      END IF;
      -- Programs take it for the one in one piece: no process would ask for jobs of such a queue. Only Unicode has such forms.
      IF getdatabaseencoding() = 'UTF8' THEN
        IF EXISTS (
          SELECT 1 FROM unnest(ARRAY[taskkit_enqueue.queue, taskkit_enqueue.unique_key, taskkit_enqueue.limit_key]) n
          WHERE n IS NOT NFC NORMALIZED)
        THEN
          RAISE 'a queue and a key are named in one piece (NFC), and not with letters and their accents apart'
            USING ERRCODE = 'TK002', HINT = 'Use normalize(name).';
        END IF;
      END IF;
      v_job := jsonb_strip_nulls(jsonb_build_object(
        'kind', taskkit_enqueue.kind, 'queue', taskkit_enqueue.queue, 'major', taskkit_enqueue.major,
        'minor', taskkit_enqueue.minor, 'attempts', taskkit_enqueue.attempts, 'version', taskkit_enqueue.version,
        'at', (extract(epoch FROM taskkit_enqueue.run_at) * 1000000)::bigint,
        'key', taskkit_enqueue.unique_key, 'conflict', taskkit_enqueue.conflict,
        'parents', nullif(taskkit_enqueue.parents, '{}'), 'needs', nullif(taskkit_enqueue.needs, '{}'),
        'limit_key', taskkit_enqueue.limit_key,
        'limit_count', CASE WHEN taskkit_enqueue.limit_key IS NOT NULL THEN coalesce(taskkit_enqueue.limit_count, 1) END,
        'deadline', (extract(epoch FROM taskkit_enqueue.deadline) * 1000000)::bigint,
        'tags', nullif(taskkit_enqueue.tags, '{}')));
      RETURN (taskkit_add(
        NULL, NULL, jsonb_build_array(v_job),
        ARRAY[convert_to(taskkit_enqueue.payload::text, 'UTF8')])->'ids'->>0)::bigint;
    END $taskkit$;
    """
}
#endif
