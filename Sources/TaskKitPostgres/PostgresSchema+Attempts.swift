#if Postgres
extension PostgresSchema {
  /// What attempts have to say: how they ended, and what is to be kept of them meanwhile.
  static let attempts = """
    -- Ends of attempts: 0 succeeded, 1 failed, 2 gave up, 3 interrupted, 4 snoozed, 5 held, 6 cancelled, 7 snoozed until.
    CREATE FUNCTION taskkit_end_attempt(
      p_id bigint, p_token bigint, p_what bigint, p_number bigint, p_cause text, p_text text, p_data bytea,
      p_now bigint
    ) RETURNS boolean LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_row record;
    BEGIN
      SELECT s.attempts, j.maximum_attempts INTO v_row FROM taskkit_state s JOIN taskkit_job j ON j.id = s.id
      WHERE s.id = p_id AND s.state + 0 = 3 AND s.token = p_token FOR UPDATE OF s;
      IF NOT FOUND THEN RETURN false; END IF;
      IF p_what IN (1, 2) THEN
        PERFORM taskkit_note(p_id, v_row.attempts, p_now, p_cause, p_text);
        UPDATE taskkit_state SET crashes = 0 WHERE id = p_id AND crashes <> 0;
      END IF;
      CASE p_what
        WHEN 0 THEN PERFORM taskkit_end(p_id, 5, p_data, p_now);
        WHEN 1 THEN
          IF v_row.attempts >= v_row.maximum_attempts THEN
            PERFORM taskkit_exhaust(p_id, p_now);
          ELSE
            PERFORM taskkit_make_ready(p_id, taskkit_sum(p_now, p_number), p_now);
          END IF;
        WHEN 2 THEN PERFORM taskkit_exhaust(p_id, p_now);
        WHEN 3 THEN PERFORM taskkit_make_ready(p_id, p_now, p_now, v_row.attempts - 1, 0);
        WHEN 4 THEN PERFORM taskkit_make_ready(p_id, taskkit_sum(p_now, p_number), p_now, v_row.attempts - 1, 0);
        -- Who could not read it has not found out whether the process would have died in it.
        WHEN 5 THEN PERFORM taskkit_hold(
          p_id, p_text::jsonb, p_now, v_row.attempts - 1, CASE WHEN NOT p_text::jsonb ? 'unreadable' THEN 0 END);
        WHEN 6 THEN PERFORM taskkit_end(p_id, 7, NULL, p_now);
        WHEN 7 THEN PERFORM taskkit_make_ready(p_id, p_number, p_now, v_row.attempts - 1, 0);
      END CASE;
      RETURN true;
    END $taskkit$;

    -- Where the rows are of the jobs whose attempts have ended, in their order, so that they are looked for once; and whether
    -- one of them may have to do with other jobs, or has not simply succeeded.
    CREATE FUNCTION taskkit_find_ends(p_jobs bigint[], p_whats bigint[], OUT places tid[], OUT has_others boolean)
    LANGUAGE plpgsql AS $taskkit$
    BEGIN
      SELECT array_agg(s.row ORDER BY x.place), coalesce(bool_or(x.what <> 0 OR s.flags & 240 <> 0), false)
      INTO places, has_others
      FROM unnest(p_jobs, p_whats) WITH ORDINALITY x (id, what, place) LEFT JOIN LATERAL (
        SELECT t.ctid AS row, t.flags FROM taskkit_state t WHERE t.id = x.id OFFSET 0) s ON true;
    END $taskkit$;

    -- Ends those attempts of a list that have succeeded, leave nothing behind and touch no other job, all at once and in the
    -- order of their jobs; returns their tokens, and the shelves of their jobs, which the caller counts. One that is named
    -- twice is not among them, nor one whose row has moved from its place.
    CREATE FUNCTION taskkit_finish(
      p_jobs bigint[], p_tokens bigint[], p_whats bigint[], p_places tid[], OUT tokens bigint[], OUT shelves integer[]
    ) LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off AS $taskkit$
    DECLARE
      v_ids bigint[];
      v_flags integer;
    BEGIN
      PERFORM set_config('taskkit.is_counted', 'on', true);
      WITH said AS MATERIALIZED (
        SELECT min(x.job) AS id, x.token, min(x.place) AS place
        FROM unnest(p_jobs, p_tokens, p_whats, p_places) x (job, token, what, place)
        GROUP BY x.token HAVING count(*) = 1 AND min(x.what) = 0 ORDER BY 1
      ), ended AS (
        DELETE FROM taskkit_state s USING said e
        WHERE s.ctid = e.place AND s.id = e.id AND s.token = e.token AND s.state + 0 = 3 AND s.flags & 240 = 0
        RETURNING s.id, s.token, s.flags, s.shelf
      ), forgotten AS (DELETE FROM taskkit_job WHERE id = ANY (ARRAY(SELECT e.id FROM ended e)))
      SELECT array_agg(id), coalesce(array_agg(token), '{}'), coalesce(array_agg(shelf), '{}'), bit_or(flags)
      INTO v_ids, tokens, shelves, v_flags FROM ended;
      PERFORM set_config('taskkit.is_counted', '', true);
      IF v_flags <> 0 THEN PERFORM taskkit_forget_rest(v_ids, v_flags); END IF;
    END $taskkit$;

    -- Notes of attempts: 0 progress, 1 checkpoint, 2 no checkpoint, 3 the result of a step.
    CREATE FUNCTION taskkit_note_attempt(
      p_id bigint, p_token bigint, p_what bigint, p_completed bigint, p_total bigint, p_name text, p_data bytea
    ) RETURNS boolean LANGUAGE plpgsql AS $taskkit$
    BEGIN
      PERFORM 1 FROM taskkit_state WHERE id = p_id AND state + 0 = 3 AND token = p_token FOR UPDATE;
      IF NOT FOUND THEN RETURN false; END IF;
      CASE p_what
        WHEN 0 THEN UPDATE taskkit_state SET completed = p_completed, total = p_total WHERE id = p_id;
        WHEN 1 THEN
          INSERT INTO taskkit_checkpoint VALUES (p_id, p_data) ON CONFLICT (id) DO UPDATE SET data = excluded.data;
          UPDATE taskkit_state SET flags = flags | 2 WHERE id = p_id AND flags & 2 = 0;
        WHEN 2 THEN DELETE FROM taskkit_checkpoint WHERE id = p_id;
        WHEN 3 THEN
          INSERT INTO taskkit_step VALUES (p_id, p_name, p_data)
          ON CONFLICT (id, name) DO UPDATE SET result = excluded.result;
          UPDATE taskkit_state SET flags = flags | 8 WHERE id = p_id AND flags & 8 = 0;
      END CASE;
      RETURN true;
    END $taskkit$;
    """
}
#endif
