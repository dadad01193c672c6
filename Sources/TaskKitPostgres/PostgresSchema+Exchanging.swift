#if Postgres
extension PostgresSchema {
  /// How many bytes of payloads one exchange may find with dead owners before it leaves the next one to a later exchange.
  static let largestRescue = 67_108_864

  /// An exchange: what attempts have to say, and what is given out.
  static let exchanging = """
    -- An answer in lines: first what is said, then the jobs that it gives out, then the results of their parents, then the
    -- payloads of jobs that were found with a dead owner and have given up.
    CREATE FUNCTION taskkit_lines(
      p_owner bigint, p_answer jsonb, p_ids bigint[], p_tokens bigint[], p_counts bigint[], p_flags integer, p_began bigint
    ) RETURNS TABLE (
      answer text, id bigint, token bigint, kind text, queue text, version bigint, payload bytea, attempt bigint,
      maximum_attempts bigint, deadline bigint, needs text, tags text, schedule text, occurrence bigint,
      checkpoint bytea, parent bigint, result bytea, needs_for bigint
    ) LANGUAGE sql STABLE AS $taskkit$
      SELECT p_answer::text, NULL::bigint, NULL::bigint, NULL::text, NULL::text, NULL::bigint, NULL::bytea, NULL::bigint,
        NULL::bigint, NULL::bigint, NULL::text, NULL::text, NULL::text, NULL::bigint, NULL::bytea, NULL::bigint,
        NULL::bytea, NULL::bigint
      UNION ALL (
        SELECT NULL::text, j.id, c.token, j.kind, j.queue, j.version, j.payload, c.attempt, j.maximum_attempts,
          j.deadline, CASE WHEN j.needs_until IS NULL OR j.relax_at > p_began THEN to_json(j.needs)::text END,
          to_json(j.tags)::text, j.schedule, j.occurrence,
          CASE WHEN p_flags & 2 <> 0 THEN (SELECT k.data FROM taskkit_checkpoint k WHERE k.id = j.id) END,
          NULL::bigint, NULL::bytea, CASE WHEN j.relax_at > p_began THEN taskkit_sum(j.relax_at, -p_began) END
        -- Who has waited for what it requires until a time does not do so again: the clock may have been set back since.
        FROM unnest(p_ids, p_tokens, p_counts) WITH ORDINALITY c (id, token, attempt, place), LATERAL (
          SELECT b.*, CASE WHEN b.needs_until IS NOT NULL THEN (
            SELECT s.relax_at FROM taskkit_state s WHERE s.id = b.id) END AS relax_at
          FROM taskkit_job b WHERE b.id = c.id OFFSET 0) j
        ORDER BY c.place)
      UNION ALL
      SELECT NULL::text, e.child, NULL::bigint, NULL::text, NULL::text, NULL::bigint, NULL::bytea, NULL::bigint,
        NULL::bigint, NULL::bigint, NULL::text, NULL::text, NULL::text, NULL::bigint, NULL::bytea, e.parent, e.result,
        NULL::bigint
      FROM taskkit_edge e
      WHERE p_flags & 1 <> 0 AND e.child = ANY (p_ids) AND NOT e.is_order AND e.result IS NOT NULL
      UNION ALL
      SELECT NULL::text, t.name::bigint, NULL::bigint, NULL::text, NULL::text, NULL::bigint, t.result, NULL::bigint,
        NULL::bigint, NULL::bigint, NULL::text, NULL::text, NULL::text, NULL::bigint, NULL::bytea, NULL::bigint,
        NULL::bytea, NULL::bigint
      FROM taskkit_step t WHERE p_answer->'rescued' <> '[]' AND t.id = -p_owner
    $taskkit$;

    CREATE FUNCTION taskkit_exchange(
      p_format bigint, p_owner bigint, p_op bigint, p_place bigint, p_time bigint, p_is_relaxed boolean,
      p_note_jobs bigint[], p_note_tokens bigint[], p_note_whats bigint[], p_note_completed bigint[],
      p_note_totals bigint[], p_note_names text[], p_note_data bytea[],
      p_end_jobs bigint[], p_end_tokens bigint[], p_end_whats bigint[], p_end_numbers bigint[], p_end_causes text[],
      p_end_texts text[], p_end_data bytea[], p_claims jsonb
    ) RETURNS TABLE (
      answer text, id bigint, token bigint, kind text, queue text, version bigint, payload bytea, attempt bigint,
      maximum_attempts bigint, deadline bigint, needs text, tags text, schedule text, occurrence bigint,
      checkpoint bytea, parent bigint, result bytea, needs_for bigint
    ) LANGUAGE plpgsql
    SET search_path = @schema@, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
    SET plan_cache_mode = force_generic_plan
    AS $taskkit$
    DECLARE
      v_now bigint;
      v_rescued jsonb := '[]';
      v_notes text := '';
      v_ends text := '';
      v_places tid[];
      v_has_others boolean;
      v_tokens bigint[];
      v_gone integer[] := '{}';
      v_begun integer[] := '{}';
      v_claimed bigint[] := '{}';
      v_claimed_tokens bigint[] := '{}';
      v_claimed_counts bigint[] := '{}';
      v_claimed_flags integer := 0;
      v_cancel bigint[];
      v_claim jsonb;
      v_given record;
      v_is_contended boolean := false;
      v_promoted bigint;
      v_dead bigint[];
      v_untils bigint[];
      v_is_locked boolean;
      v_queues text[] := '{}';
      v_answer jsonb;
      v_is_news boolean := false;
    BEGIN
      PERFORM taskkit_begin(p_format, p_owner, p_op, p_place, p_is_relaxed);
      SELECT * INTO v_dead, v_untils, v_is_contended FROM taskkit_silent(p_owner, true);
      SELECT * INTO v_places, v_has_others FROM taskkit_find_ends(p_end_jobs, p_end_whats);
      v_is_locked := v_dead <> '{}' OR p_note_jobs <> '{}' OR v_has_others;
      IF v_is_locked THEN
        SELECT coalesce(taskkit_lock(array_agg(q.id), array_agg(q.reach)), '{}') INTO v_queues FROM (
          SELECT x.id, CASE
            WHEN x.what = 0 THEN 1
            WHEN x.what IN (2, 6) OR s.attempts >= j.maximum_attempts THEN 2
            ELSE 0 END AS reach
          FROM unnest(p_end_jobs, p_end_whats) x (id, what),
            LATERAL (SELECT t.attempts FROM taskkit_state t WHERE t.id = x.id OFFSET 0) s,
            LATERAL (SELECT b.maximum_attempts FROM taskkit_job b WHERE b.id = x.id OFFSET 0) j
          UNION ALL SELECT n, 0 FROM unnest(p_note_jobs) n
          UNION ALL
          SELECT s.id, CASE WHEN s.attempts >= j.maximum_attempts THEN 2 ELSE 0 END
          FROM unnest(v_dead) d,
            LATERAL (SELECT t.id, t.attempts FROM taskkit_state t WHERE t.state = 3 AND t.owner = d OFFSET 0) s,
            LATERAL (SELECT b.maximum_attempts FROM taskkit_job b WHERE b.id = s.id OFFSET 0) j) q;
        PERFORM taskkit_gather();
      END IF;
      -- One may have come back meanwhile, and have got other jobs by now.
      IF v_dead <> '{}' THEN v_dead := taskkit_hold_silent(v_dead, v_untils); END IF;
      -- Only now, since it may have waited for long.
      v_now := coalesce(p_time, taskkit_clock());
      FOR v_i IN 1 .. cardinality(v_dead) LOOP
        v_rescued := v_rescued || taskkit_release(v_dead[v_i], true, v_now);
        -- The payloads of one have fitted into a process, which those of many that died at once might not.
        IF v_i < cardinality(v_dead) AND \(largestRescue) < (
          SELECT sum(octet_length(t.result)) FROM taskkit_step t WHERE t.id = -p_owner)
        THEN
          v_is_contended := true;
          EXIT;
        END IF;
      END LOOP;
      IF v_rescued <> '[]' THEN PERFORM taskkit_flush(); END IF;
      FOR v_i IN 1 .. cardinality(p_note_jobs) LOOP
        v_notes := v_notes || taskkit_note_attempt(
          p_note_jobs[v_i], p_note_tokens[v_i], p_note_whats[v_i], p_note_completed[v_i], p_note_totals[v_i],
          p_note_names[v_i], p_note_data[v_i])::integer;
      END LOOP;
      IF cardinality(p_end_jobs) > 0 THEN
        -- Notes move rows.
        IF p_note_jobs <> '{}' THEN SELECT places INTO v_places FROM taskkit_find_ends(p_end_jobs, p_end_whats); END IF;
        SELECT * INTO v_tokens, v_gone FROM taskkit_finish(p_end_jobs, p_end_tokens, p_end_whats, v_places);
        IF cardinality(v_tokens) = cardinality(p_end_jobs) THEN
          v_ends := repeat('1', cardinality(p_end_jobs));
        ELSE
          -- One has got a child since it was looked for those, which may come before what is held by now.
          IF NOT v_is_locked AND EXISTS (
            SELECT 1 FROM unnest(p_end_jobs, p_end_tokens) x (id, token), LATERAL (
              SELECT 1 FROM taskkit_state t
              WHERE t.id = x.id AND t.token = x.token AND t.state + 0 = 3 AND t.flags & 240 <> 0 OFFSET 0) s)
          THEN
            RAISE 'a job that others have begun to wait for has ended' USING ERRCODE = '40001';
          END IF;
          FOR v_i IN 1 .. cardinality(p_end_jobs) LOOP
            -- By the token: a late end of the same job may stand beside it.
            IF p_end_tokens[v_i] = ANY (v_tokens) THEN
              v_ends := v_ends || '1';
            ELSE
              v_ends := v_ends || taskkit_end_attempt(
                p_end_jobs[v_i], p_end_tokens[v_i], p_end_whats[v_i], p_end_numbers[v_i], p_end_causes[v_i],
                p_end_texts[v_i], p_end_data[v_i], v_now)::integer;
              v_is_news := true;
            END IF;
          END LOOP;
        END IF;
      END IF;
      IF v_is_locked THEN PERFORM taskkit_add_gathered(); END IF;
      v_promoted := CASE WHEN NOT taskkit_promote(v_now) THEN v_now END;
      PERFORM 1 FROM taskkit_rate r
      WHERE NOT r.is_key AND r.name = ANY (ARRAY(SELECT c->>'queue' FROM jsonb_array_elements(p_claims) c))
      ORDER BY r.name FOR UPDATE;
      -- What is started counts from when it starts, or more might start in the time of a rate.
      v_now := coalesce(p_time, taskkit_clock());
      FOR v_claim IN SELECT jsonb_array_elements(p_claims) LOOP
        SELECT * INTO v_given FROM taskkit_claim(p_owner, v_now, v_claim);
        v_claimed := v_claimed || v_given.taken;
        v_claimed_tokens := v_claimed_tokens || v_given.taken_tokens;
        v_claimed_counts := v_claimed_counts || v_given.taken_counts;
        v_begun := v_begun || v_given.taken_shelves;
        v_claimed_flags := v_claimed_flags | v_given.taken_flags;
        v_is_contended := v_is_contended OR v_given.is_contended;
      END LOOP;
      IF v_gone <> '{}' OR v_begun <> '{}' THEN PERFORM taskkit_count_exchange(v_gone, v_begun); END IF;
      WITH told AS (DELETE FROM taskkit_cancel c WHERE c.owner = p_owner RETURNING c.token)
      SELECT coalesce(array_agg(t.token ORDER BY t.token), '{}') INTO v_cancel FROM told t
      WHERE t.token <> ALL (p_end_tokens);
      v_answer := jsonb_build_object(
        'notes', v_notes, 'ends', v_ends, 'claimed', to_jsonb(v_claimed), 'cancel', to_jsonb(v_cancel),
        'rescued', v_rescued, 'due',
        least(taskkit_next_due(v_now, v_promoted), CASE WHEN v_is_contended THEN taskkit_soon() END),
        'news', CASE WHEN v_is_news OR v_rescued <> '[]' THEN to_jsonb(v_queues) END);
      IF p_place > 0 OR v_notes <> '' OR v_ends <> '' OR v_claimed <> '{}' OR v_cancel <> '{}' OR v_rescued <> '[]'
      THEN
        PERFORM taskkit_said(p_owner, p_op, p_place, v_answer);
      ELSE
        -- Nothing that anybody would miss.
        PERFORM set_config('synchronous_commit', 'off', true);
      END IF;
      RETURN QUERY SELECT * FROM taskkit_lines(
        p_owner, v_answer, v_claimed, v_claimed_tokens, v_claimed_counts, v_claimed_flags, v_now);
    END $taskkit$;
    """
}
#endif
