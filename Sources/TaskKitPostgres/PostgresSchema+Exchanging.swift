#if Postgres
extension PostgresSchema {
  /// An exchange: what attempts have to say, and what is given out.
  static let exchanging = """
    -- Ends of attempts: 0 succeeded, 1 failed, 2 gave up, 3 interrupted, 4 snoozed, 5 held, 6 cancelled, 7 snoozed until.
    CREATE FUNCTION taskkit_end_attempt(
      p_id bigint, p_token bigint, p_what bigint, p_number bigint, p_cause text, p_text text, p_data bytea,
      p_now bigint
    ) RETURNS boolean LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_row record;
    BEGIN
      SELECT s.attempts, j.maximum_attempts INTO v_row FROM taskkit_state s JOIN taskkit_job j ON j.id = s.id
      WHERE s.id = p_id AND s.state = 3 AND s.token = p_token FOR UPDATE OF s;
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
        WHEN 5 THEN PERFORM taskkit_hold(p_id, p_text::jsonb, p_now, v_row.attempts - 1, 0);
        WHEN 6 THEN PERFORM taskkit_end(p_id, 7, NULL, p_now);
        WHEN 7 THEN PERFORM taskkit_make_ready(p_id, p_number, p_now, v_row.attempts - 1, 0);
      END CASE;
      RETURN true;
    END $taskkit$;

    -- Notes of attempts: 0 progress, 1 checkpoint, 2 no checkpoint, 3 the result of a step.
    CREATE FUNCTION taskkit_note_attempt(
      p_id bigint, p_token bigint, p_what bigint, p_completed bigint, p_total bigint, p_name text, p_data bytea
    ) RETURNS boolean LANGUAGE plpgsql AS $taskkit$
    BEGIN
      PERFORM 1 FROM taskkit_state WHERE id = p_id AND state = 3 AND token = p_token FOR UPDATE;
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

    -- Lets jobs become ready whose time has come, and no longer wait for their constraints.
    CREATE FUNCTION taskkit_promote(p_now bigint) RETURNS void LANGUAGE plpgsql SET enable_sort = off AS $taskkit$
    DECLARE
      v_id bigint;
      v_row taskkit_state;
    BEGIN
      IF EXISTS (SELECT 1 FROM taskkit_state WHERE state = 1 AND due <= p_now AND (relax_at IS NULL OR relax_at > p_now))
      THEN
        UPDATE taskkit_state s SET state = 2, since = s.due FROM (
          SELECT id FROM taskkit_state
          WHERE state = 1 AND due <= p_now AND (relax_at IS NULL OR relax_at > p_now)
          ORDER BY due, id LIMIT 5000 FOR UPDATE SKIP LOCKED) d
        WHERE s.id = d.id AND s.state + 0 = 1;
      END IF;
      FOR v_id IN
        SELECT id FROM taskkit_state WHERE state = 1 AND due <= p_now AND relax_at <= p_now
        UNION ALL SELECT id FROM taskkit_state WHERE state = 2 AND relax_at <= p_now
      LOOP
        SELECT * INTO v_row FROM taskkit_state WHERE id = v_id FOR UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND OR v_row.relax_at IS NULL OR v_row.state NOT IN (1, 2);
        UPDATE taskkit_state SET
          state = 2, since = CASE WHEN v_row.state = 1 THEN v_row.due ELSE v_row.since END,
          shelf = taskkit_plain_shelf(v_row.shelf), relax_at = NULL
        WHERE id = v_id;
      END LOOP;
    END $taskkit$;

    -- How many jobs of queues, or of the keys of limits, may start now: of those that have a rate; NULL for one that
    -- somebody else claims by at this moment.
    CREATE FUNCTION taskkit_free_starts(p_is_key boolean, p_names text[], p_now bigint)
    RETURNS jsonb LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_names text[];
    BEGIN
      -- Those who claim what has a rate take turns. What the others have started is read after that.
      v_names := ARRAY(
        SELECT name FROM taskkit_rate WHERE is_key = p_is_key AND name = ANY (p_names) ORDER BY name
        FOR UPDATE SKIP LOCKED);
      DELETE FROM taskkit_start t USING taskkit_rate r
      WHERE t.is_key = p_is_key AND t.name = ANY (v_names) AND r.is_key = t.is_key AND r.name = t.name
        AND taskkit_sum(t.at, r.period) <= p_now;
      RETURN (
        SELECT coalesce(jsonb_object_agg(r.name, CASE WHEN r.name = ANY (v_names) THEN greatest(0, r.count - (
          SELECT coalesce(sum(t.count), 0) FROM taskkit_start t WHERE t.is_key = r.is_key AND t.name = r.name)) END), '{}')
        FROM taskkit_rate r WHERE r.is_key = p_is_key AND r.name = ANY (p_names));
    END $taskkit$;

    -- When the next job may start; NULL where one may now, and where none ever may.
    CREATE FUNCTION taskkit_next_start(p_rate taskkit_rate, p_now bigint)
    RETURNS bigint LANGUAGE plpgsql STABLE AS $taskkit$
    DECLARE
      v_over bigint;
    BEGIN
      IF p_rate.count <= 0 THEN RETURN NULL; END IF;
      SELECT coalesce(sum(count), 0) - p_rate.count INTO v_over FROM taskkit_start
      WHERE is_key = p_rate.is_key AND name = p_rate.name AND taskkit_sum(at, p_rate.period) > p_now;
      IF v_over < 0 THEN RETURN NULL; END IF;
      -- The one whose leaving makes room.
      RETURN (
        SELECT taskkit_sum(at, p_rate.period) FROM (
          SELECT at, sum(count) OVER (ORDER BY at) AS started FROM taskkit_start
          WHERE is_key = p_rate.is_key AND name = p_rate.name AND taskkit_sum(at, p_rate.period) > p_now) t
        WHERE started > v_over ORDER BY at LIMIT 1);
    END $taskkit$;

    -- Gives out the jobs of a list, those that nobody else is about to take, in its order. The state is asked again where
    -- the row is changed: it may have changed since the list was made.
    CREATE FUNCTION taskkit_take(p_owner bigint, p_now bigint, p_ids bigint[], p_limit bigint)
    RETURNS bigint[] LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off AS $taskkit$
    DECLARE
      v_taken bigint[];
    BEGIN
      WITH picked AS MATERIALIZED (
        SELECT s.id FROM unnest(p_ids) WITH ORDINALITY c (id, place), LATERAL (
          SELECT t.id FROM taskkit_state t WHERE t.id = c.id AND t.state + 0 = 2 FOR UPDATE SKIP LOCKED) s
        ORDER BY c.place LIMIT p_limit
      ), numbered AS MATERIALIZED (SELECT id, nextval('taskkit_token') AS token FROM picked),
      begun AS (
        UPDATE taskkit_state s SET
          state = 3, attempts = s.attempts + 1, token = n.token, owner = p_owner, began = p_now, completed = NULL,
          total = NULL
        FROM numbered n WHERE s.id = n.id AND s.state + 0 = 2 RETURNING s.id, s.token)
      SELECT coalesce(array_agg(id ORDER BY token), '{}') INTO v_taken FROM begun;
      RETURN v_taken;
    END $taskkit$;

    -- 'is_contended': something was passed by that may be free as soon as somebody else has committed.
    CREATE FUNCTION taskkit_claim(
      p_owner bigint, p_now bigint, p_claim jsonb, OUT taken bigint[], OUT is_contended boolean
    ) LANGUAGE plpgsql SET enable_sort = off AS $taskkit$
    DECLARE
      v_queue text := p_claim->>'queue';
      v_left bigint := (p_claim->>'limit')::bigint;
      v_kinds jsonb := p_claim->'kinds';
      v_aging bigint := (p_claim->>'aging')::bigint;
      v_satisfied text[] := ARRAY(SELECT jsonb_array_elements_text(p_claim->'satisfied'));
      v_free bigint;
      v_shelves integer[];
      v_kinds_of jsonb;
      v_is_simple boolean;
      v_size bigint;
      v_ids bigint[];
      v_open bigint[];
      v_flags integer;
      v_last taskkit_state;
      v_id bigint;
      v_is_known boolean;
      v_offset bigint := 0;
      v_chosen bigint[];
      v_room jsonb;
      v_candidate record;
      v_limit record;
      v_starts bigint;
      v_is_admitted boolean;
      v_now_taken bigint[];
    BEGIN
      taken := '{}';
      is_contended := false;
      IF EXISTS (SELECT 1 FROM taskkit_pause WHERE NOT is_kind AND name = v_queue) THEN RETURN; END IF;
      v_room := taskkit_free_starts(false, ARRAY[v_queue], p_now);
      v_free := (v_room->>v_queue)::bigint;
      is_contended := v_room ? v_queue AND v_free IS NULL;
      v_left := least(v_left, v_free);
      IF is_contended OR v_left <= 0 THEN RETURN; END IF;
      SELECT array_agg(f.id), jsonb_object_agg(f.id::text, f.kind), bool_and((v_kinds->>f.kind)::bigint >= v_left)
      INTO v_shelves, v_kinds_of, v_is_simple FROM taskkit_shelf f
      WHERE f.queue = v_queue AND (v_kinds->>f.kind)::bigint > 0 AND f.needs <@ v_satisfied
        AND NOT EXISTS (SELECT 1 FROM taskkit_pause p WHERE p.is_kind AND p.name = f.kind);
      IF v_shelves IS NULL THEN RETURN; END IF;
      -- A few more than are wanted, since others may be about to take the first ones; where they are, many more.
      v_size := least(v_left + 32, 4096);
      v_last.major := -9223372036854775808;
      v_last.minor := -9223372036854775808;
      v_last.attempts := 0;
      v_last.id := 0;
      LOOP
        -- Nothing is locked yet: what is not taken stays free for others.
        IF v_aging > 0 THEN
          SELECT array_agg(id ORDER BY aged, minor, attempts, id), bit_or(flags) INTO v_ids, v_flags FROM (
            SELECT id, minor, attempts, flags,
              greatest(major::numeric - greatest(p_now - since, 0) / v_aging, -9223372036854775808) AS aged
            FROM taskkit_state WHERE state = 2 AND shelf = ANY (v_shelves)
            ORDER BY 5, minor, attempts, id LIMIT v_size OFFSET v_offset) q;
        ELSE
          SELECT array_agg(id ORDER BY major, minor, attempts, id), bit_or(flags) INTO v_ids, v_flags FROM (
            SELECT q.* FROM unnest(v_shelves) f (id), LATERAL (
              SELECT s.id, s.major, s.minor, s.attempts, s.flags FROM taskkit_state s
              WHERE s.state = 2 AND s.shelf = f.id
                AND (s.major, s.minor, s.attempts, s.id) > (v_last.major, v_last.minor, v_last.attempts, v_last.id)
              ORDER BY s.major, s.minor, s.attempts, s.id LIMIT v_size) q
            ORDER BY q.major, q.minor, q.attempts, q.id LIMIT v_size) r;
        END IF;
        EXIT WHEN v_ids IS NULL;
        SELECT * INTO v_last FROM taskkit_state WHERE id = v_ids[cardinality(v_ids)];
        v_is_known := FOUND;
        IF v_is_simple AND v_flags & 64 = 0 THEN
          v_now_taken := taskkit_take(p_owner, p_now, v_ids, v_left);
        ELSE
          v_chosen := '{}';
          v_room := '{}';
          IF v_flags & 64 <> 0 AND EXISTS (SELECT 1 FROM taskkit_rate WHERE is_key) THEN
            v_room := taskkit_free_starts(true, ARRAY(
              SELECT DISTINCT limit_key FROM taskkit_job WHERE id = ANY (v_ids) AND limit_key IS NOT NULL), p_now);
          END IF;
          IF v_room <> '{}' THEN
            -- Those that may not start are passed by where they lie: there may be very many of them.
            v_open := ARRAY(
              SELECT c.id FROM unnest(v_ids) WITH ORDINALITY c (id, place) JOIN taskkit_job j ON j.id = c.id
              WHERE j.limit_key IS NULL OR NOT v_room ? j.limit_key OR (v_room->>j.limit_key)::bigint > 0
              ORDER BY c.place);
            is_contended := is_contended OR EXISTS (SELECT 1 FROM jsonb_each(v_room) r WHERE r.value = 'null');
          ELSE
            v_open := v_ids;
          END IF;
          FOREACH v_id IN ARRAY v_open LOOP
            EXIT WHEN cardinality(v_chosen) >= v_left;
            SELECT shelf, flags INTO v_candidate FROM taskkit_state
            WHERE id = v_id AND state = 2 AND (v_kinds->>(v_kinds_of->>shelf::text))::bigint > 0
            FOR UPDATE SKIP LOCKED;
            CONTINUE WHEN NOT FOUND;
            IF v_candidate.flags & 64 <> 0 THEN
              SELECT limit_key, limit_count INTO v_limit FROM taskkit_job WHERE id = v_id;
              v_starts := (v_room->>v_limit.limit_key)::bigint;
              CONTINUE WHEN v_starts <= 0;
              v_is_admitted := taskkit_admit(v_limit.limit_key, v_limit.limit_count);
              is_contended := is_contended OR v_is_admitted IS NULL;
              CONTINUE WHEN v_is_admitted IS NOT TRUE;
              IF v_starts IS NOT NULL THEN
                v_room := jsonb_set(v_room, ARRAY[v_limit.limit_key], to_jsonb(v_starts - 1));
              END IF;
            END IF;
            v_kinds := jsonb_set(
              v_kinds, ARRAY[v_kinds_of->>v_candidate.shelf::text],
              to_jsonb((v_kinds->>(v_kinds_of->>v_candidate.shelf::text))::bigint - 1));
            v_chosen := v_chosen || v_id;
          END LOOP;
          v_now_taken := taskkit_take(p_owner, p_now, v_chosen, cardinality(v_chosen));
          IF v_room <> '{}' THEN
            INSERT INTO taskkit_start AS t
            SELECT true, j.limit_key, p_now, count(*) FROM taskkit_job j
            WHERE j.id = ANY (v_now_taken) AND v_room ? j.limit_key GROUP BY j.limit_key
            ON CONFLICT (is_key, name, at) DO UPDATE SET count = t.count + excluded.count;
          END IF;
        END IF;
        taken := taken || v_now_taken;
        v_left := v_left - cardinality(v_now_taken);
        -- Where the last one has vanished, the place to go on from has, too.
        EXIT WHEN v_left <= 0 OR cardinality(v_ids) < v_size OR NOT v_is_known;
        v_offset := v_offset + v_size - cardinality(v_now_taken);
        v_size := least(v_size * 4, 4096);
      END LOOP;
      IF v_free IS NOT NULL AND cardinality(taken) > 0 THEN
        INSERT INTO taskkit_start AS t VALUES (false, v_queue, p_now, cardinality(taken))
        ON CONFLICT (is_key, name, at) DO UPDATE SET count = t.count + excluded.count;
      END IF;
    END $taskkit$;

    CREATE FUNCTION taskkit_next_due(p_now bigint) RETURNS bigint LANGUAGE plpgsql SET enable_sort = off AS $taskkit$
    DECLARE
      v_next bigint;
      v_rate taskkit_rate;
    BEGIN
      v_next := least(
        (SELECT due FROM taskkit_state WHERE state = 1 ORDER BY due LIMIT 1),
        (SELECT relax_at FROM taskkit_state WHERE state = 2 AND relax_at IS NOT NULL ORDER BY relax_at LIMIT 1));
      FOR v_rate IN
        SELECT * FROM taskkit_rate r WHERE r.count > 0
          AND EXISTS (SELECT 1 FROM taskkit_start t WHERE t.is_key = r.is_key AND t.name = r.name)
      LOOP
        -- Whether a job waits for a key would take a look at all of them.
        CONTINUE WHEN NOT v_rate.is_key AND NOT EXISTS (
          SELECT 1 FROM taskkit_shelf f WHERE f.queue = v_rate.name
            AND EXISTS (SELECT 1 FROM taskkit_state s WHERE s.state = 2 AND s.shelf = f.id));
        v_next := least(v_next, taskkit_next_start(v_rate, p_now));
      END LOOP;
      RETURN CASE WHEN v_next <= p_now THEN 0 ELSE taskkit_sum(v_next, -p_now) END;
    END $taskkit$;

    -- An answer in lines: first what is said, then the jobs that it gives out, then the results of their parents.
    CREATE FUNCTION taskkit_lines(p_owner bigint, p_answer jsonb) RETURNS TABLE (
      answer text, id bigint, token bigint, kind text, queue text, version bigint, payload bytea, attempt bigint,
      maximum_attempts bigint, deadline bigint, needs text, tags text, schedule text, occurrence bigint,
      checkpoint bytea, parent bigint, result bytea
    ) LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_ids bigint[] := ARRAY(SELECT v::bigint FROM jsonb_array_elements_text(p_answer->'claimed') v);
    BEGIN
      answer := p_answer;
      RETURN NEXT;
      IF cardinality(v_ids) = 0 THEN RETURN; END IF;
      RETURN QUERY
        SELECT NULL::text, j.id, s.token, j.kind, j.queue, j.version, j.payload, s.attempts, j.maximum_attempts,
          j.deadline, CASE WHEN j.needs_until <= s.began THEN NULL ELSE to_json(j.needs)::text END, to_json(j.tags)::text, j.schedule, j.occurrence,
          CASE WHEN s.flags & 2 <> 0 THEN (SELECT c.data FROM taskkit_checkpoint c WHERE c.id = j.id) END,
          NULL::bigint, NULL::bytea
        FROM unnest(v_ids) WITH ORDINALITY c (id, place),
          LATERAL (SELECT t.* FROM taskkit_state t WHERE t.id = c.id AND t.state + 0 = 3 AND t.owner + 0 = p_owner OFFSET 0) s,
          LATERAL (SELECT b.* FROM taskkit_job b WHERE b.id = c.id OFFSET 0) j
        ORDER BY c.place;
      IF EXISTS (SELECT 1 FROM taskkit_state s WHERE s.id = ANY (v_ids) AND s.flags & 1 <> 0) THEN
        RETURN QUERY
          SELECT NULL::text, e.child, NULL::bigint, NULL::text, NULL::text, NULL::bigint, NULL::bytea, NULL::bigint,
            NULL::bigint, NULL::bigint, NULL::text, NULL::text, NULL::text, NULL::bigint, NULL::bytea, e.parent,
            e.result
          FROM taskkit_edge e WHERE e.child = ANY (v_ids) AND NOT e.is_order AND e.result IS NOT NULL;
      END IF;
    END $taskkit$;

    CREATE FUNCTION taskkit_exchange(
      p_owner bigint, p_op bigint, p_place bigint, p_time bigint, p_is_relaxed boolean,
      p_note_jobs bigint[], p_note_tokens bigint[], p_note_whats bigint[], p_note_completed bigint[],
      p_note_totals bigint[], p_note_names text[], p_note_data bytea[],
      p_end_jobs bigint[], p_end_tokens bigint[], p_end_whats bigint[], p_end_numbers bigint[], p_end_causes text[],
      p_end_texts text[], p_end_data bytea[], p_claims jsonb
    ) RETURNS TABLE (
      answer text, id bigint, token bigint, kind text, queue text, version bigint, payload bytea, attempt bigint,
      maximum_attempts bigint, deadline bigint, needs text, tags text, schedule text, occurrence bigint,
      checkpoint bytea, parent bigint, result bytea
    ) LANGUAGE plpgsql
    SET search_path = @schema@, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
    SET plan_cache_mode = force_generic_plan
    AS $taskkit$
    DECLARE
      v_now bigint := coalesce(p_time, taskkit_clock());
      v_rescued jsonb := '[]';
      v_notes text := '';
      v_ends text := '';
      v_done bigint[] := '{}';
      v_tokens bigint[] := '{}';
      v_claimed bigint[] := '{}';
      v_cancel bigint[];
      v_claim jsonb;
      v_given record;
      v_is_contended boolean := false;
      v_dead bigint[];
      v_queues text[] := '{}';
      v_answer jsonb;
      v_is_news boolean := false;
    BEGIN
      PERFORM taskkit_begin(p_owner, p_op, p_place, p_is_relaxed);
      v_dead := ARRAY(
        SELECT o.id FROM taskkit_owner o WHERE o.lease_until <= taskkit_clock() AND o.id <> p_owner
        ORDER BY o.id FOR UPDATE SKIP LOCKED);
      IF v_dead <> '{}' OR p_note_jobs <> '{}' OR EXISTS (SELECT 1 FROM unnest(p_end_whats) w WHERE w <> 0)
        OR EXISTS (SELECT 1 FROM taskkit_state s WHERE s.id = ANY (p_end_jobs) AND s.flags & 240 <> 0)
      THEN
        SELECT coalesce(taskkit_lock(array_agg(q.id), array_agg(q.reach)), '{}') INTO v_queues FROM (
          SELECT x.id, CASE
            WHEN x.what = 0 THEN 1
            WHEN x.what IN (2, 6) OR s.attempts >= j.maximum_attempts THEN 2
            ELSE 0 END AS reach
          FROM unnest(p_end_jobs, p_end_whats) x (id, what)
          JOIN taskkit_state s ON s.id = x.id JOIN taskkit_job j ON j.id = x.id
          UNION ALL SELECT n, 0 FROM unnest(p_note_jobs) n
          UNION ALL
          SELECT s.id, CASE WHEN s.attempts >= j.maximum_attempts THEN 2 ELSE 0 END
          FROM taskkit_state s JOIN taskkit_job j ON j.id = s.id
          WHERE s.state = 3 AND s.owner = ANY (v_dead)) q;
      END IF;
      FOR v_i IN 1 .. cardinality(v_dead) LOOP
        v_rescued := v_rescued || taskkit_release(v_dead[v_i], true, v_now);
      END LOOP;
      FOR v_i IN 1 .. cardinality(p_note_jobs) LOOP
        v_notes := v_notes || taskkit_note_attempt(
          p_note_jobs[v_i], p_note_tokens[v_i], p_note_whats[v_i], p_note_completed[v_i], p_note_totals[v_i],
          p_note_names[v_i], p_note_data[v_i])::integer;
      END LOOP;
      IF cardinality(p_end_jobs) > 0 THEN
        -- Those that leave nothing behind and touch no other job, all at once.
        SELECT array_agg(e.job ORDER BY e.job), array_agg(e.token ORDER BY e.job) INTO v_done, v_tokens FROM (
          SELECT min(x.job), x.token FROM unnest(p_end_jobs, p_end_tokens, p_end_whats) x (job, token, what)
          GROUP BY x.token HAVING count(*) = 1 AND min(x.what) = 0) e (job, token);
        SELECT coalesce(array_agg(h.id), '{}'), coalesce(array_agg(h.token), '{}') INTO v_done, v_tokens
        FROM unnest(v_done, v_tokens) d (id, token), LATERAL (
          SELECT s.id, s.token FROM taskkit_state s
          WHERE s.id = d.id AND s.token = d.token AND s.state + 0 = 3 AND s.flags & 240 = 0 FOR UPDATE) h;
        PERFORM taskkit_forget(v_done, 15) WHERE cardinality(v_done) > 0;
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
      PERFORM taskkit_promote(v_now);
      PERFORM 1 FROM taskkit_rate r
      WHERE NOT r.is_key AND r.name = ANY (ARRAY(SELECT c->>'queue' FROM jsonb_array_elements(p_claims) c))
      ORDER BY r.name FOR UPDATE;
      FOR v_claim IN SELECT jsonb_array_elements(p_claims) LOOP
        SELECT * INTO v_given FROM taskkit_claim(p_owner, v_now, v_claim);
        v_claimed := v_claimed || v_given.taken;
        v_is_contended := v_is_contended OR v_given.is_contended;
      END LOOP;
      WITH told AS (DELETE FROM taskkit_cancel c WHERE c.owner = p_owner RETURNING c.token)
      SELECT coalesce(array_agg(t.token ORDER BY t.token), '{}') INTO v_cancel FROM told t
      WHERE t.token <> ALL (p_end_tokens);
      v_answer := jsonb_build_object(
        'notes', v_notes, 'ends', v_ends, 'claimed', to_jsonb(v_claimed), 'cancel', to_jsonb(v_cancel),
        'rescued', v_rescued, 'due', least(taskkit_next_due(v_now), CASE WHEN v_is_contended THEN 20000 END),
        'news', CASE WHEN v_is_news OR v_rescued <> '[]' THEN to_jsonb(v_queues) END);
      IF p_place > 0 OR v_notes <> '' OR v_ends <> '' OR v_claimed <> '{}' OR v_cancel <> '{}' OR v_rescued <> '[]'
      THEN
        PERFORM taskkit_said(p_owner, p_op, p_place, v_answer);
      ELSE
        -- Nothing that anybody would miss.
        PERFORM set_config('synchronous_commit', 'off', true);
      END IF;
      RETURN QUERY SELECT * FROM taskkit_lines(p_owner, v_answer);
    END $taskkit$;

    -- What has become of an operation after which the connection broke: what its statements said, one after the other, or
    -- nothing where it has not happened, and then it never will.
    CREATE FUNCTION taskkit_recover(p_owner bigint, p_op bigint) RETURNS TABLE (
      answer text, id bigint, token bigint, kind text, queue text, version bigint, payload bytea, attempt bigint,
      maximum_attempts bigint, deadline bigint, needs text, tags text, schedule text, occurrence bigint,
      checkpoint bytea, parent bigint, result bytea
    ) LANGUAGE plpgsql SET search_path = @schema@, pg_temp AS $taskkit$
    DECLARE
      v_owner taskkit_owner;
    BEGIN
      SELECT * INTO v_owner FROM taskkit_owner o WHERE o.id = p_owner FOR NO KEY UPDATE;
      IF NOT FOUND THEN RAISE 'owner % is gone', p_owner USING ERRCODE = 'TK001'; END IF;
      IF v_owner.op < p_op THEN
        UPDATE taskkit_owner o SET op = p_op, answers = NULL WHERE o.id = p_owner;
        RETURN;
      END IF;
      FOR v_place IN 0 .. coalesce(jsonb_array_length(v_owner.answers), 0) - 1 LOOP
        RETURN QUERY SELECT * FROM taskkit_lines(p_owner, v_owner.answers->v_place);
      END LOOP;
    END $taskkit$;
    """
}
#endif
