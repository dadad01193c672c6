#if Postgres
extension PostgresSchema {
  /// The body of a function that gives out jobs: locks rows as `picked` says, and begins their attempts. Whoever calls it
  /// counts them.
  ///
  /// A row is found again by its place, where it was when it was locked. One that somebody changed after the statement had
  /// begun is not there any more for this statement: the next claim finds it, which `taskkit_claim` asks for. So one that is
  /// found has the state with which it was picked; that this is asked for once more only says so.
  private static func take(_ picked: String) -> String {
    """
    PERFORM set_config('taskkit.is_counted', 'on', true);
      WITH picked AS MATERIALIZED (\(picked)),
      numbered AS MATERIALIZED (SELECT p.id, p.place, nextval('taskkit_token') AS token FROM picked p),
      begun AS (
        UPDATE taskkit_state s SET
          state = 3, attempts = s.attempts + 1, token = n.token, owner = p_owner, began = p_now, completed = NULL,
          total = NULL
        FROM numbered n WHERE s.ctid = n.place AND s.id = n.id AND s.state + 0 = 2
        RETURNING s.id, s.token, s.attempts, s.flags, s.shelf)
      SELECT coalesce(array_agg(b.id), '{}'), coalesce(array_agg(b.token), '{}'), coalesce(array_agg(b.attempts), '{}'),
        coalesce(array_agg(b.shelf), '{}'), coalesce(bit_or(b.flags), 0)
      INTO ids, tokens, counts, shelves, flags FROM (SELECT * FROM begun ORDER BY token) b;
      PERFORM set_config('taskkit.is_counted', '', true);
    """
  }

  /// What is given out: which jobs are ready, and which of those may start.
  static let claiming = """
    -- Lets jobs become ready whose time has come, and no longer wait for their constraints; not those that somebody else
    -- holds. True where there may be more of them than it does at once.
    CREATE FUNCTION taskkit_promote(p_now bigint) RETURNS boolean LANGUAGE plpgsql SET enable_sort = off AS $taskkit$
    DECLARE
      v_row taskkit_state;
      v_shelf integer;
      v_count bigint := 0;
      v_delayed bigint := 0;
      v_relaxed bigint := 0;
      v_has_moved boolean := false;
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM taskkit_state WHERE state = 1 AND due <= p_now)
        AND NOT EXISTS (SELECT 1 FROM taskkit_state WHERE state = 2 AND relax_at <= p_now)
      THEN
        RETURN false;
      END IF;
      IF EXISTS (SELECT 1 FROM taskkit_state WHERE state = 1 AND due <= p_now AND (relax_at IS NULL OR relax_at > p_now))
      THEN
        UPDATE taskkit_state SET state = 2, since = due
        WHERE state + 0 = 1 AND id = ANY (ARRAY(
          SELECT id FROM taskkit_state
          WHERE state = 1 AND due <= p_now AND (relax_at IS NULL OR relax_at > p_now)
          ORDER BY due, id LIMIT 5000 FOR UPDATE SKIP LOCKED));
        GET DIAGNOSTICS v_count = ROW_COUNT;
      END IF;
      FOR v_row IN
        SELECT * FROM (
          SELECT * FROM taskkit_state WHERE state = 1 AND due <= p_now AND relax_at <= p_now
          ORDER BY due, id LIMIT 1000 FOR UPDATE SKIP LOCKED) d
        UNION ALL
        SELECT * FROM (
          SELECT * FROM taskkit_state WHERE state = 2 AND relax_at <= p_now
          ORDER BY relax_at, id LIMIT 1000 FOR UPDATE SKIP LOCKED) r
      LOOP
        v_delayed := v_delayed + (v_row.state = 1)::integer;
        v_relaxed := v_relaxed + (v_row.state = 2)::integer;
        v_shelf := taskkit_plain_shelf(v_row.shelf);
        CONTINUE WHEN v_shelf IS NULL;
        UPDATE taskkit_state SET
          state = 2, since = CASE WHEN v_row.state = 1 THEN v_row.due ELSE v_row.since END,
          shelf = v_shelf, relax_at = NULL
        WHERE id = v_row.id;
        v_has_moved := true;
      END LOOP;
      RETURN v_count >= 5000 OR (v_has_moved AND (v_delayed >= 1000 OR v_relaxed >= 1000));
    END $taskkit$;

    -- Gives out the jobs of a list, those that nobody else is about to take, in its order. The state is asked again where
    -- the row is changed: it may have changed since the list was made.
    CREATE FUNCTION taskkit_take(
      p_owner bigint, p_now bigint, p_ids bigint[], p_limit bigint,
      OUT ids bigint[], OUT tokens bigint[], OUT counts bigint[], OUT shelves integer[], OUT flags integer
    ) LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off AS $taskkit$
    BEGIN
      \(take("""
        SELECT s.id, s.place FROM unnest(p_ids) WITH ORDINALITY c (id, place), LATERAL (
          SELECT t.id, t.ctid AS place FROM taskkit_state t WHERE t.id = c.id AND t.state + 0 = 2
          FOR UPDATE SKIP LOCKED) s
        ORDER BY c.place LIMIT p_limit
        """))
    END $taskkit$;

    -- Gives out the first jobs of a shelf of which all may start, those that nobody else is about to take. What a transaction
    -- holds that was going when the statement began is passed by for that, since asking for each lock costs more.
    CREATE FUNCTION taskkit_take_first(
      p_owner bigint, p_now bigint, p_shelf integer, p_limit bigint,
      OUT ids bigint[], OUT tokens bigint[], OUT counts bigint[], OUT shelves integer[], OUT flags integer
    ) LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off AS $taskkit$
    BEGIN
      \(take("""
        SELECT t.id, t.ctid AS place FROM taskkit_state t
        WHERE t.state = 2 AND t.shelf = p_shelf
          AND t.xmax <> ALL (ARRAY(SELECT x::xid FROM pg_snapshot_xip(pg_current_snapshot()) x))
        ORDER BY t.major, t.minor, t.attempts, t.id LIMIT p_limit FOR UPDATE SKIP LOCKED
        """))
    END $taskkit$;

    -- The lane of a job with a limit: all that may start, or not, for the same reason.
    CREATE FUNCTION taskkit_lane(p_key text, p_count bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $taskkit$
      SELECT p_count || ':' || p_key
    $taskkit$;
    CREATE FUNCTION taskkit_lane_key(p_lane text) RETURNS text LANGUAGE sql IMMUTABLE AS $taskkit$
      SELECT substr(p_lane, strpos(p_lane, ':') + 1)
    $taskkit$;
    CREATE FUNCTION taskkit_lane_count(p_lane text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $taskkit$
      SELECT split_part(p_lane, ':', 1)::bigint
    $taskkit$;

    -- Those of some lanes of which no job may start now: no place of the key is free, or its rate is used up, or somebody
    -- else is about to change that. 'p_room' is what taskkit_free_starts says of the keys, and 0 for those that are paused.
    CREATE FUNCTION taskkit_full_lanes(p_lanes text[], p_room jsonb) RETURNS text[] LANGUAGE sql STABLE AS $taskkit$
      SELECT ARRAY(
        SELECT l.lane FROM (SELECT DISTINCT n AS lane FROM unnest(p_lanes) n WHERE n IS NOT NULL) l
        WHERE (p_room ? taskkit_lane_key(l.lane) AND coalesce((p_room->>taskkit_lane_key(l.lane))::bigint, 0) <= 0)
          OR EXISTS (
            SELECT 1 FROM taskkit_permit p
            WHERE p.key = taskkit_lane_key(l.lane) AND p.used >= taskkit_lane_count(l.lane)))
    $taskkit$;

    -- The lanes of shelves in which a job is ready: one look at the index for each, however many jobs there are.
    CREATE FUNCTION taskkit_lanes(p_shelves integer[]) RETURNS TABLE (shelf integer, lane text)
    LANGUAGE sql STABLE AS $taskkit$
      WITH RECURSIVE ready (shelf, lane) AS (
        SELECT f.id, (
          SELECT s.lane FROM taskkit_state s WHERE s.state = 2 AND s.shelf = f.id AND s.lane IS NOT NULL
          ORDER BY s.lane LIMIT 1)
        FROM unnest(p_shelves) f (id)
        UNION ALL
        SELECT r.shelf, (
          SELECT s.lane FROM taskkit_state s WHERE s.state = 2 AND s.shelf = r.shelf AND s.lane > r.lane
          ORDER BY s.lane LIMIT 1)
        FROM ready r WHERE r.lane IS NOT NULL)
      SELECT r.shelf, r.lane FROM ready r WHERE r.lane IS NOT NULL
    $taskkit$;

    -- Gives out jobs of a queue, in the order of the law. 'is_contended': something was passed by that may be free as soon
    -- as somebody else's transaction has ended. Where that is taken back, nothing has moved, and nobody would look again.
    --
    -- What may not start is not looked at job by job, since there may be very many of them: the shelves of kinds that have
    -- no room are left out at once, and where jobs of full lanes are all that is found for a while, the others are looked
    -- at lane by lane.
    CREATE FUNCTION taskkit_claim(
      p_owner bigint, p_now bigint, p_claim jsonb, OUT taken bigint[], OUT taken_tokens bigint[],
      OUT taken_counts bigint[], OUT taken_shelves integer[], OUT taken_flags integer, OUT is_contended boolean
    ) LANGUAGE plpgsql SET enable_sort = off AS $taskkit$
    DECLARE
      v_queue text := p_claim->>'queue';
      v_left bigint := (p_claim->>'limit')::bigint;
      v_kinds jsonb := p_claim->'kinds';
      v_aging bigint := (p_claim->>'aging')::bigint;
      v_satisfied text[] := ARRAY(SELECT jsonb_array_elements_text(p_claim->'satisfied'));
      v_free bigint;
      v_shelves integer[];
      v_limited integer[];
      v_kinds_of jsonb;
      v_is_simple boolean;
      v_size bigint;
      v_ids bigint[];
      v_lanes_of text[];
      v_flags integer;
      v_last taskkit_state;
      v_is_known boolean;
      v_seen bigint[] := '{}';
      v_full text[] := '{}';
      v_lane_shelves integer[] := '{}';
      v_lanes text[] := '{}';
      v_chosen bigint[];
      v_room jsonb;
      v_paused jsonb := '{}';
      v_candidate record;
      v_shelf integer;
      v_key text;
      v_starts bigint;
      v_is_admitted boolean;
      v_now_taken record;
    BEGIN
      taken := '{}';
      taken_tokens := '{}';
      taken_counts := '{}';
      taken_shelves := '{}';
      taken_flags := 0;
      is_contended := false;
      IF EXISTS (SELECT 1 FROM taskkit_pause WHERE subject = 0 AND name = v_queue) THEN RETURN; END IF;
      v_room := taskkit_free_starts(false, ARRAY[v_queue], p_now);
      v_free := (v_room->>v_queue)::bigint;
      is_contended := v_room ? v_queue AND v_free IS NULL;
      v_left := least(v_left, v_free);
      IF is_contended OR v_left <= 0 THEN RETURN; END IF;
      SELECT array_agg(f.id), coalesce(array_agg(f.id) FILTER (WHERE f.is_limited), '{}'),
        jsonb_object_agg(f.id::text, f.kind), bool_and((v_kinds->>f.kind)::bigint >= v_left)
      INTO v_shelves, v_limited, v_kinds_of, v_is_simple FROM taskkit_shelf f
      WHERE f.queue = v_queue AND (v_kinds->>f.kind)::bigint > 0 AND f.needs <@ v_satisfied
        AND (f.version = 0 OR NOT coalesce(p_claim->'unreadable'->f.kind @> to_jsonb(
          CASE WHEN f.version = taskkit_shelf_version(0) THEN 0 ELSE f.version END), false))
        AND NOT EXISTS (SELECT 1 FROM taskkit_pause p WHERE p.subject = 1 AND p.name = f.kind);
      IF v_shelves IS NULL THEN RETURN; END IF;
      IF cardinality(v_shelves) > 1 THEN
        -- Mostly all lie on one: others are of versions that nobody writes any more.
        v_shelves := ARRAY(
          SELECT f FROM unnest(v_shelves) f
          WHERE EXISTS (SELECT 1 FROM taskkit_state s WHERE s.state = 2 AND s.shelf = f));
        IF v_shelves = '{}' THEN RETURN; END IF;
        v_limited := ARRAY(SELECT f FROM unnest(v_limited) f WHERE f = ANY (v_shelves));
      END IF;
      IF v_limited <> '{}' THEN
        SELECT coalesce(jsonb_object_agg(name, 0), '{}') INTO v_paused FROM taskkit_pause WHERE subject = 2;
      END IF;
      -- A few more than are wanted, since others may be about to take the first ones; where they are, many more.
      v_size := least(v_left, 4064) + 32;
      v_last.major := -9223372036854775808;
      v_last.minor := -9223372036854775808;
      v_last.attempts := 0;
      v_last.id := 0;
      LOOP
        IF v_is_simple AND v_limited = '{}' AND cardinality(v_shelves) = 1 AND coalesce(v_aging, 0) <= 0 THEN
          SELECT * INTO taken, taken_tokens, taken_counts, taken_shelves, taken_flags
          FROM taskkit_take_first(p_owner, p_now, v_shelves[1], v_left);
          is_contended := cardinality(taken) < v_left
            AND EXISTS (SELECT 1 FROM taskkit_state WHERE state = 2 AND shelf = v_shelves[1]);
          EXIT;
        END IF;
        -- Nothing is locked yet: what is not taken stays free for others.
        IF v_aging > 0 THEN
          SELECT array_agg(id ORDER BY aged, minor, attempts, since, id), bit_or(flags) INTO v_ids, v_flags FROM (
            SELECT id, minor, attempts, flags, since,
              greatest(major::numeric - greatest(p_now - since, 0) / v_aging, -9223372036854775808) AS aged
            FROM taskkit_state
            WHERE state = 2 AND shelf = ANY (v_shelves) AND id NOT IN (SELECT unnest(v_seen))
              AND (lane IS NULL OR lane <> ALL (v_full))
            ORDER BY 6, minor, attempts, since, id LIMIT v_size) q;
          v_seen := v_seen || v_ids;
        ELSIF v_lanes <> '{}' THEN
          -- Only the lanes whose first jobs come first can have any of those that are looked for.
          SELECT array_agg(id ORDER BY major, minor, attempts, id), bit_or(flags) INTO v_ids, v_flags FROM (
            SELECT q.* FROM unnest(v_shelves) f (id), LATERAL (
              SELECT s.id, s.major, s.minor, s.attempts, s.flags FROM taskkit_state s
              WHERE s.state = 2 AND s.shelf = f.id
                AND (s.major, s.minor, s.attempts, s.id) > (v_last.major, v_last.minor, v_last.attempts, v_last.id)
              ORDER BY s.major, s.minor, s.attempts, s.id LIMIT v_size) q
            UNION ALL
            SELECT q.* FROM (
              SELECT l.shelf, l.lane FROM unnest(v_lane_shelves, v_lanes) l (shelf, lane), LATERAL (
                SELECT s.major, s.minor, s.attempts, s.id FROM taskkit_state s
                WHERE s.state = 2 AND s.shelf = l.shelf AND s.lane = l.lane
                  AND (s.major, s.minor, s.attempts, s.id) > (v_last.major, v_last.minor, v_last.attempts, v_last.id)
                ORDER BY s.major, s.minor, s.attempts, s.id LIMIT 1) h
              ORDER BY h.major, h.minor, h.attempts, h.id LIMIT v_size) m, LATERAL (
              SELECT s.id, s.major, s.minor, s.attempts, s.flags FROM taskkit_state s
              WHERE s.state = 2 AND s.shelf = m.shelf AND s.lane = m.lane
                AND (s.major, s.minor, s.attempts, s.id) > (v_last.major, v_last.minor, v_last.attempts, v_last.id)
              ORDER BY s.major, s.minor, s.attempts, s.id
              LIMIT least(v_size, taskkit_sum(taskkit_lane_count(m.lane), 32))) q
            ORDER BY 2, 3, 4, 1 LIMIT v_size) r;
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
          SELECT * INTO v_now_taken FROM taskkit_take(p_owner, p_now, v_ids, v_left);
          is_contended := is_contended OR cardinality(v_now_taken.ids) < least(v_left, cardinality(v_ids));
        ELSE
          v_chosen := '{}';
          v_room := v_paused;
          v_lanes_of := '{}';
          IF v_flags & 64 <> 0 THEN
            v_lanes_of := ARRAY(
              SELECT (SELECT s.lane FROM taskkit_state s WHERE s.id = c.id)
              FROM unnest(v_ids) WITH ORDINALITY c (id, place) ORDER BY c.place);
            IF EXISTS (SELECT 1 FROM taskkit_rate WHERE is_key) THEN
              v_room := taskkit_free_starts(
                true, ARRAY(SELECT DISTINCT taskkit_lane_key(n) FROM unnest(v_lanes_of) n WHERE n IS NOT NULL), p_now);
              is_contended := is_contended OR EXISTS (SELECT 1 FROM jsonb_each(v_room) r WHERE r.value = 'null');
              v_room := v_room || v_paused;
            END IF;
            v_full := v_full || taskkit_full_lanes(v_lanes_of, v_room);
          END IF;
          FOR v_candidate IN
            SELECT c.id, c.lane FROM unnest(v_ids, v_lanes_of) WITH ORDINALITY c (id, lane, place)
            WHERE c.lane IS NULL OR c.lane <> ALL (v_full) ORDER BY c.place
          LOOP
            EXIT WHEN cardinality(v_chosen) >= v_left;
            -- Of what was found to be full meanwhile, no more jobs are locked.
            CONTINUE WHEN v_candidate.lane = ANY (v_full);
            SELECT shelf INTO v_shelf FROM taskkit_state
            WHERE id = v_candidate.id AND state + 0 = 2 AND (v_kinds->>(v_kinds_of->>shelf::text))::bigint > 0
            FOR UPDATE SKIP LOCKED;
            IF NOT FOUND THEN
              is_contended := is_contended OR EXISTS (
                SELECT 1 FROM taskkit_state
                WHERE id = v_candidate.id AND state + 0 = 2 AND (v_kinds->>(v_kinds_of->>shelf::text))::bigint > 0);
              CONTINUE;
            END IF;
            IF v_candidate.lane IS NOT NULL THEN
              v_key := taskkit_lane_key(v_candidate.lane);
              v_starts := (v_room->>v_key)::bigint;
              v_is_admitted := false;
              IF v_starts IS NULL OR v_starts > 0 THEN
                v_is_admitted := taskkit_admit(v_key, taskkit_lane_count(v_candidate.lane));
                is_contended := is_contended OR v_is_admitted IS NULL;
              END IF;
              IF v_is_admitted IS NOT TRUE THEN
                v_full := v_full || v_candidate.lane;
                CONTINUE;
              END IF;
              IF v_starts IS NOT NULL THEN v_room := jsonb_set(v_room, ARRAY[v_key], to_jsonb(v_starts - 1)); END IF;
            END IF;
            v_kinds := jsonb_set(
              v_kinds, ARRAY[v_kinds_of->>v_shelf::text],
              to_jsonb((v_kinds->>(v_kinds_of->>v_shelf::text))::bigint - 1));
            v_chosen := v_chosen || v_candidate.id;
          END LOOP;
          SELECT * INTO v_now_taken FROM taskkit_take(p_owner, p_now, v_chosen, cardinality(v_chosen));
          IF v_room <> '{}' THEN
            PERFORM taskkit_started(true, array_agg(k.name), array_agg(k.count), p_now) FROM (
              SELECT j.limit_key AS name, count(*) AS count FROM taskkit_job j
              WHERE j.id = ANY (v_now_taken.ids) AND v_room ? j.limit_key GROUP BY j.limit_key) k;
          END IF;
        END IF;
        taken := taken || v_now_taken.ids;
        taken_tokens := taken_tokens || v_now_taken.tokens;
        taken_counts := taken_counts || v_now_taken.counts;
        taken_shelves := taken_shelves || v_now_taken.shelves;
        taken_flags := taken_flags | v_now_taken.flags;
        v_left := v_left - cardinality(v_now_taken.ids);
        EXIT WHEN v_left <= 0 OR cardinality(v_ids) < v_size;
        IF NOT v_is_known THEN
          -- Where the last one has vanished, the place to go on from has, too.
          is_contended := true;
          EXIT;
        END IF;
        IF NOT v_is_simple THEN
          v_shelves := ARRAY(
            SELECT f FROM unnest(v_shelves) f WHERE (v_kinds->>(v_kinds_of->>f::text))::bigint > 0);
        END IF;
        IF v_full <> '{}' AND v_size >= 512 AND coalesce(v_aging, 0) <= 0 AND v_limited && v_shelves THEN
          SELECT coalesce(array_agg(l.shelf), '{}'), coalesce(array_agg(l.lane), '{}')
          INTO v_lane_shelves, v_lanes
          FROM taskkit_lanes(ARRAY(SELECT f FROM unnest(v_shelves) f WHERE f = ANY (v_limited))) l;
          v_shelves := ARRAY(SELECT f FROM unnest(v_shelves) f WHERE f <> ALL (v_limited));
          v_room := v_paused;
          IF EXISTS (SELECT 1 FROM taskkit_rate WHERE is_key) THEN
            v_room := taskkit_free_starts(true, ARRAY(
              SELECT r.name FROM taskkit_rate r
              WHERE r.is_key AND r.name = ANY (ARRAY(SELECT taskkit_lane_key(n) FROM unnest(v_lanes) n))), p_now);
            is_contended := is_contended OR EXISTS (SELECT 1 FROM jsonb_each(v_room) r WHERE r.value = 'null');
            v_room := v_room || v_paused;
          END IF;
          v_full := v_full || taskkit_full_lanes(v_lanes, v_room);
          v_size := least(v_left, 4064) + 32;
        ELSE
          v_size := least(v_size * 4, 4096);
        END IF;
        SELECT coalesce(array_agg(l.shelf), '{}'), coalesce(array_agg(l.lane), '{}') INTO v_lane_shelves, v_lanes
        FROM unnest(v_lane_shelves, v_lanes) l (shelf, lane)
        WHERE l.lane <> ALL (v_full) AND (v_kinds->>(v_kinds_of->>l.shelf::text))::bigint > 0;
        EXIT WHEN v_shelves = '{}' AND v_lanes = '{}';
      END LOOP;
      IF v_free IS NOT NULL AND cardinality(taken) > 0 THEN
        PERFORM taskkit_started(false, ARRAY[v_queue], ARRAY[cardinality(taken)::bigint], p_now);
      END IF;
    END $taskkit$;

    -- How long until there may be something to give out that is not there now; NULL for never. Up to 'p_promoted' all have
    -- become ready but those that somebody held, whose transaction may end at any moment; it is NULL where there are more than
    -- become ready at once, with which the next exchange goes on.
    CREATE FUNCTION taskkit_next_due(p_now bigint, p_promoted bigint)
    RETURNS bigint LANGUAGE plpgsql SET enable_sort = off AS $taskkit$
    DECLARE
      v_after bigint := coalesce(p_promoted, -9223372036854775808);
      v_next bigint;
      v_rate taskkit_rate;
    BEGIN
      v_next := least(
        (SELECT due FROM taskkit_state WHERE state = 1 AND due > v_after ORDER BY due LIMIT 1),
        (SELECT relax_at FROM taskkit_state WHERE state = 2 AND relax_at > v_after ORDER BY relax_at LIMIT 1));
      FOR v_rate IN SELECT * FROM taskkit_rate r WHERE r.count > 0 AND r.used >= r.count LOOP
        -- Whether a job waits for a key would take a look at all of them.
        CONTINUE WHEN NOT v_rate.is_key AND NOT EXISTS (
          SELECT 1 FROM taskkit_shelf f WHERE f.queue = v_rate.name
            AND EXISTS (SELECT 1 FROM taskkit_state s WHERE s.state = 2 AND s.shelf = f.id));
        -- Apart, so that the next statement does not see what this one has removed.
        v_rate := taskkit_settled(v_rate, p_now);
        -- Only where a rate has become a smaller one more of them have to leave; then it says when to look again.
        v_next := least(v_next, taskkit_next_start(v_rate, p_now, \(fewStarts)));
      END LOOP;
      RETURN least(
        greatest(taskkit_sum(v_next, -p_now), CASE WHEN v_next IS NOT NULL THEN 0 END),
        CASE WHEN EXISTS (SELECT 1 FROM taskkit_state WHERE state = 1 AND due <= p_promoted)
          OR EXISTS (SELECT 1 FROM taskkit_state WHERE state = 2 AND relax_at <= p_promoted) THEN taskkit_soon() END);
    END $taskkit$;

    -- After how long it is looked again for what somebody holds at the moment.
    CREATE FUNCTION taskkit_soon() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 20000::bigint';
    """
}
#endif
