#if Postgres
extension PostgresSchema {
  /// What is done to jobs from outside.
  static let changing = """
    -- The condition that a selection, which is $1, stands for beside its ids.
    CREATE FUNCTION taskkit_where(p_selection jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $taskkit$
      SELECT coalesce(string_agg(c.text, ' AND '), 'true') FROM (VALUES
        ('kinds', 'j.kind = ANY (ARRAY(SELECT jsonb_array_elements_text($1->''kinds'')))'),
        ('queues', 'j.queue = ANY (ARRAY(SELECT jsonb_array_elements_text($1->''queues'')))'),
        ('keys', 'j.unique_key = ANY (ARRAY(SELECT jsonb_array_elements_text($1->''keys'')))'),
        ('tags', 'j.tags && ARRAY(SELECT jsonb_array_elements_text($1->''tags''))'),
        ('states', 's.state = ANY (ARRAY(SELECT v::smallint FROM jsonb_array_elements_text($1->''states'') v))'),
        ('holds', 's.hold IS NOT NULL AND s.hold ?| ARRAY(SELECT jsonb_array_elements_text($1->''holds''))')
      ) c (name, text) WHERE p_selection ? c.name
    $taskkit$;

    -- The jobs that a selection, which is $1, is about: those of its ids, where it names some, each of which is looked up.
    CREATE FUNCTION taskkit_from(p_selection jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $taskkit$
      SELECT CASE WHEN p_selection ? 'ids' THEN
        '(SELECT DISTINCT v::bigint AS id FROM jsonb_array_elements_text($1->''ids'') v) x,'
          ' LATERAL (SELECT * FROM taskkit_state t WHERE t.id = x.id OFFSET 0) s,'
          ' LATERAL (SELECT * FROM taskkit_job b WHERE b.id = x.id OFFSET 0) j'
        ELSE 'taskkit_state s JOIN taskkit_job j ON j.id = s.id' END
    $taskkit$;

    -- Changes what jobs wait for, and until when: they go to other shelves, which are made where they are not there. A time that
    -- has passed counts for a job once that is ready: the clock may be set back before. Nobody waits for who is making
    -- shelves: whoever holds jobs begins again, a store for two seconds.
    CREATE FUNCTION taskkit_require(p_ids bigint[], p_needs text[], p_until bigint, p_now bigint)
    RETURNS void LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_needs text[] := ARRAY(SELECT n FROM unnest(p_needs) n ORDER BY n COLLATE "C");
      v_missing record;
    BEGIN
      FOR v_missing IN
        SELECT DISTINCT f.queue, f.kind, n.needs, f.is_limited, f.version
        FROM taskkit_state s JOIN taskkit_shelf f ON f.id = s.shelf, LATERAL (
          SELECT v_needs UNION SELECT '{}' WHERE p_until IS NOT NULL) n (needs)
        WHERE s.id = ANY (p_ids) AND NOT EXISTS (
          SELECT 1 FROM taskkit_shelf g
          WHERE g.queue = f.queue AND g.kind = f.kind AND g.needs = n.needs AND g.is_limited = f.is_limited
            AND g.version = f.version)
      LOOP
        IF NOT pg_try_advisory_xact_lock(
          'taskkit_shelf'::regclass::oid::integer, taskkit_bucket(v_missing.queue || ' ' || v_missing.kind))
        THEN
          RAISE 'a transaction that is not committed has enqueued the first job of such a kind, queue or set of constraints; '
            'commit it, and try again' USING ERRCODE = '40001';
        END IF;
        INSERT INTO taskkit_shelf (queue, kind, needs, is_limited, version)
        VALUES (v_missing.queue, v_missing.kind, v_missing.needs, v_missing.is_limited, v_missing.version)
        ON CONFLICT DO NOTHING;
      END LOOP;
      UPDATE taskkit_job SET needs = nullif(p_needs, '{}'), needs_until = p_until WHERE id = ANY (p_ids);
      UPDATE taskkit_state s SET shelf = g.id, relax_at = CASE WHEN g.needs <> '{}' THEN p_until END
      FROM taskkit_shelf f JOIN taskkit_shelf g ON g.queue = f.queue AND g.kind = f.kind AND g.is_limited = f.is_limited
        AND g.version = f.version
      WHERE s.id = ANY (p_ids) AND f.id = s.shelf
        AND g.needs = CASE WHEN s.state = 2 AND p_until <= p_now THEN '{}' ELSE v_needs END;
    END $taskkit$;

    -- The first of those that a job waited for which has not succeeded, and can be tried again, or did not while the job was
    -- held for something else.
    CREATE FUNCTION taskkit_failed_parent(p_id bigint) RETURNS bigint LANGUAGE sql STABLE STRICT AS $taskkit$
      SELECT e.parent FROM taskkit_edge e
      WHERE e.child = p_id AND NOT e.is_order
        AND (e.place < 0 OR (SELECT s.state FROM taskkit_state s WHERE s.id = e.parent) IN (6, 7))
      ORDER BY greatest(e.place, ~e.place) LIMIT 1
    $taskkit$;

    -- 'p_time' is what the calendar says; NULL where that is the server's.
    CREATE FUNCTION taskkit_change(p_owner bigint, p_time bigint, p_args jsonb)
    RETURNS jsonb LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_now bigint;
      v_what text := p_args->>'what';
      v_states text := CASE v_what
        WHEN 'delete' THEN '0, 1, 2, 3, 4, 5, 6, 7' WHEN 'hold' THEN '0, 1, 2' WHEN 'release' THEN '4'
        WHEN 'retry' THEN '6, 7' WHEN 'reschedule' THEN '1, 2' ELSE '0, 1, 2, 3, 4' END;
      v_select text := 'SELECT coalesce(array_agg(s.id ORDER BY s.id), ''{}'') FROM %s WHERE s.state IN (' || v_states
        || ') AND %s';
      v_selection jsonb := coalesce(p_args->'selection', '{}');
      v_ids bigint[];
      v_id bigint;
      v_token bigint;
      v_told bigint[] := '{}';
      v_count bigint := 0;
      v_due bigint;
      v_used bigint;
      v_job record;
      v_failed bigint;
      v_asked bigint;
      v_attempts bigint := (p_args->>'attempts')::bigint;
      v_news text[];
    BEGIN
      -- First which may be meant, then, when nobody can change them any more, which are.
      EXECUTE format(v_select, taskkit_from(v_selection), taskkit_where(v_selection)) INTO v_ids USING v_selection;
      IF v_what = 'retry' THEN
        PERFORM taskkit_lock_keys(array_agg('k' || unique_key)) FROM taskkit_job
        WHERE id = ANY (v_ids) AND unique_key IS NOT NULL;
      END IF;
      v_news := taskkit_lock(
        v_ids, array_fill(
          CASE WHEN v_what IN ('cancel', 'delete') THEN 2 WHEN v_what = 'retry' THEN 3 ELSE 0 END,
          ARRAY[cardinality(v_ids)]));
      -- Only now, since it may have waited for long.
      v_now := coalesce(p_time, taskkit_clock());
      v_selection := v_selection || jsonb_build_object('ids', to_jsonb(v_ids));
      EXECUTE format(v_select, taskkit_from(v_selection), taskkit_where(v_selection)) INTO v_ids USING v_selection;
      IF v_ids = '{}' THEN RETURN '{"count": 0, "cancelled": []}'; END IF;
      -- What leaves a job in its state moves nothing by itself.
      IF v_what IN ('prioritise', 'reschedule', 'attempts', 'deadline', 'requires') THEN
        PERFORM taskkit_touch(v_news);
      END IF;
      IF v_what IN ('prioritise', 'attempts', 'deadline', 'requires') THEN
        CASE v_what
          WHEN 'prioritise' THEN
            UPDATE taskkit_state
            SET major = -1 - (p_args->>'major')::bigint, minor = -1 - (p_args->>'minor')::bigint WHERE id = ANY (v_ids);
          WHEN 'attempts' THEN
            -- Unless the attempt that is going was told that it is the last one, it is not.
            UPDATE taskkit_job j SET maximum_attempts = (
              SELECT CASE
                WHEN s.state = 3 AND v_attempts IS NOT NULL
                THEN greatest(v_attempts, least(j.maximum_attempts, s.attempts + 1)) ELSE v_attempts END
              FROM taskkit_state s WHERE s.id = j.id)
            WHERE j.id = ANY (v_ids);
          WHEN 'deadline' THEN
            UPDATE taskkit_job SET deadline = (p_args->>'deadline')::bigint WHERE id = ANY (v_ids);
          WHEN 'requires' THEN
            PERFORM taskkit_require(
              v_ids, ARRAY(SELECT jsonb_array_elements_text(p_args->'needs')),
              coalesce((p_args->>'at')::bigint, taskkit_sum(v_now, (p_args->>'after')::bigint)), v_now);
        END CASE;
        RETURN jsonb_build_object('count', cardinality(v_ids), 'cancelled', '[]'::jsonb, 'news', to_jsonb(v_news));
      END IF;
      FOREACH v_id IN ARRAY v_ids LOOP
        CASE v_what
          WHEN 'cancel', 'delete' THEN
            v_token := taskkit_cancel_job(v_id, CASE WHEN v_what = 'cancel' THEN 7 END, p_owner, v_now);
            IF v_token IS NOT NULL THEN v_told := v_told || v_token; END IF;
          WHEN 'hold' THEN
            PERFORM taskkit_hold(v_id, p_args->'reason');
          WHEN 'release' THEN
            SELECT due, CASE WHEN NOT hold ? 'unreadable' THEN 0 END,
              CASE WHEN hold ?| ARRAY['asked', 'until'] AND flags & 256 = 0 THEN v_id END
            INTO v_due, v_used, v_asked FROM taskkit_state WHERE id = v_id;
            UPDATE taskkit_state SET flags = flags | 256
            WHERE id = v_id AND hold ? 'parentFailed' AND taskkit_failed_parent(v_id) IS NOT NULL;
            IF FOUND THEN
              UPDATE taskkit_edge SET place = ~place WHERE child = v_id AND place < 0;
            END IF;
            PERFORM taskkit_make_ready(v_id, v_due, v_now, v_used, v_used);
            v_failed := taskkit_failed_parent(v_asked);
            IF v_failed IS NOT NULL AND (SELECT parent_failure FROM taskkit_job WHERE id = v_id) = 1 THEN
              PERFORM taskkit_hold(v_id, jsonb_build_object('parentFailed', jsonb_build_object('_0', v_failed)));
            END IF;
          WHEN 'retry' THEN
            SELECT unique_key, unique_period, created, parent_failure INTO STRICT v_job
            FROM taskkit_job WHERE id = v_id;
            v_failed := taskkit_failed_parent(v_id);
            CONTINUE WHEN v_failed IS NOT NULL AND v_job.parent_failure = 0;
            IF v_job.unique_key IS NOT NULL THEN
              CONTINUE WHEN EXISTS (SELECT 1 FROM taskkit_key WHERE key = v_job.unique_key AND NOT has_ended);
              INSERT INTO taskkit_key
              VALUES (v_job.unique_key, v_id, taskkit_sum(v_job.created, v_job.unique_period), false)
              ON CONFLICT (key, id) DO UPDATE SET until = excluded.until, has_ended = false;
            END IF;
            PERFORM taskkit_make_ready(v_id, v_now, v_now, 0, 0);
            IF v_failed IS NOT NULL AND v_job.parent_failure = 1 THEN
              PERFORM taskkit_hold(v_id, jsonb_build_object('parentFailed', jsonb_build_object('_0', v_failed)));
            END IF;
            UPDATE taskkit_edge SET place = ~place WHERE parent = v_id AND place < 0;
            -- Those that do not run, and are not about to, wait for it again.
            UPDATE taskkit_edge e SET is_open = true, result = NULL
            WHERE e.parent = v_id AND NOT e.is_order
              AND (SELECT s.state FROM taskkit_state s WHERE s.id = e.child) IN (0, 4, 6, 7);
            IF FOUND THEN
              UPDATE taskkit_state SET flags = flags | 16 WHERE id = v_id AND flags & 16 = 0;
              UPDATE taskkit_state SET flags = flags & ~256 WHERE flags & 256 <> 0 AND id = ANY (ARRAY(
                SELECT child FROM taskkit_edge WHERE parent = v_id AND NOT is_order AND is_open::integer = 1));
            END IF;
          WHEN 'reschedule' THEN
            v_due := coalesce((p_args->>'at')::bigint, taskkit_sum(v_now, (p_args->>'after')::bigint), v_now);
            PERFORM taskkit_make_ready(v_id, v_due, v_now);
        END CASE;
        v_count := v_count + 1;
      END LOOP;
      RETURN jsonb_build_object('count', v_count, 'cancelled', to_jsonb(v_told), 'news', to_jsonb(v_news));
    END $taskkit$;
    """
}
#endif
