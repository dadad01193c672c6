#if Postgres
extension PostgresSchema {
  /// What is given out: which jobs are ready, and which of those may start.
  static let claiming = """
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
    """
}
#endif
