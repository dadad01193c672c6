#if Postgres
extension PostgresSchema {
  /// How many starts of a rate an exchange looks at to say when the next may be.
  static let fewStarts = 64

  /// How many jobs may start in a time.
  ///
  /// Many may start in a long one, and each exchange asks when the next job may: `used` counts all starts that are written
  /// down, so that nobody adds them up. Whoever adds a start, or removes one, holds the rate's row. Some of them may have
  /// passed, or lie further ahead than the rate's time, until somebody claims by that rate, or meets far more than it lets start.
  static let rates = """
    -- How many jobs of queues, or of the keys of limits, may start now: of those that have a rate; NULL for one that
    -- somebody else claims by at this moment.
    CREATE FUNCTION taskkit_free_starts(p_is_key boolean, p_names text[], p_now bigint)
    RETURNS jsonb LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
    AS $taskkit$
    DECLARE
      v_names text[];
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM taskkit_rate WHERE is_key = p_is_key AND name = ANY (p_names)) THEN RETURN '{}'; END IF;
      -- Those who claim what has a rate take turns. What the others have started is read after that.
      v_names := ARRAY(
        SELECT name FROM taskkit_rate WHERE is_key = p_is_key AND name = ANY (p_names) ORDER BY name
        FOR UPDATE SKIP LOCKED);
      WITH held AS MATERIALIZED (
        SELECT name, taskkit_sum(p_now, -period) AS passed, taskkit_sum(p_now, period) AS furthest
        FROM taskkit_rate WHERE is_key = p_is_key AND name = ANY (v_names)
      ), passed AS (
        DELETE FROM taskkit_start WHERE ctid = ANY (ARRAY(
          SELECT s.place FROM held h, LATERAL (
            SELECT ctid AS place FROM taskkit_start WHERE is_key = p_is_key AND name = h.name AND at <= h.passed OFFSET 0) s))
        RETURNING name, count
      ), ahead AS (
        -- What was started by a clock that was far ahead would hold up the others for as long as that.
        DELETE FROM taskkit_start WHERE ctid = ANY (ARRAY(
          SELECT s.place FROM held h, LATERAL (
            SELECT ctid AS place FROM taskkit_start WHERE is_key = p_is_key AND name = h.name AND at > h.furthest OFFSET 0) s))
        RETURNING name, count
      )
      UPDATE taskkit_rate r SET used = r.used - g.count FROM (
        SELECT b.name, sum(b.count) AS count FROM (SELECT * FROM passed UNION ALL SELECT * FROM ahead) b GROUP BY 1) g
      WHERE r.is_key = p_is_key AND r.name = g.name;
      RETURN (
        SELECT coalesce(
          jsonb_object_agg(r.name, CASE WHEN r.name = ANY (v_names) THEN greatest(0, r.count - r.used) END), '{}')
        FROM taskkit_rate r WHERE r.is_key = p_is_key AND r.name = ANY (p_names));
    END $taskkit$;

    -- Writes down how many jobs of queues, or of the keys of limits, have started.
    CREATE FUNCTION taskkit_started(p_is_key boolean, p_names text[], p_counts bigint[], p_now bigint)
    RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      INSERT INTO taskkit_start AS t SELECT p_is_key, n.name, p_now, n.count FROM unnest(p_names, p_counts) n (name, count)
      ON CONFLICT (is_key, name, at) DO UPDATE SET count = t.count + excluded.count;
      UPDATE taskkit_rate r SET used = r.used + n.count FROM unnest(p_names, p_counts) n (name, count)
      WHERE r.is_key = p_is_key AND r.name = n.name;
    END $taskkit$;

    -- A rate by which far more have started than it lets start, as where it has become a smaller one, without those that count no
    -- more: where nobody claims by it any more they would be looked at each time. As it is where somebody else holds it.
    CREATE FUNCTION taskkit_settled(p_rate taskkit_rate, p_now bigint) RETURNS taskkit_rate LANGUAGE plpgsql AS $taskkit$
    BEGIN
      IF p_rate.used - p_rate.count >= \(fewStarts) AND (
        EXISTS (
          SELECT 1 FROM taskkit_start
          WHERE is_key = p_rate.is_key AND name = p_rate.name AND at <= taskkit_sum(p_now, -p_rate.period))
        OR EXISTS (
          SELECT 1 FROM taskkit_start
          WHERE is_key = p_rate.is_key AND name = p_rate.name AND at > taskkit_sum(p_now, p_rate.period)))
      THEN
        PERFORM taskkit_free_starts(p_rate.is_key, ARRAY[p_rate.name], p_now);
        SELECT * INTO p_rate FROM taskkit_rate WHERE is_key = p_rate.is_key AND name = p_rate.name;
      END IF;
      RETURN p_rate;
    END $taskkit$;

    -- When the next job may start; NULL where one may now, and where none ever may. Of 'p_most' starts it is looked at most
    -- whether their leaving makes room, where that is no NULL; it may be later than that.
    CREATE FUNCTION taskkit_next_start(p_rate taskkit_rate, p_now bigint, p_most bigint)
    RETURNS bigint LANGUAGE plpgsql STABLE AS $taskkit$
    DECLARE
      v_passed bigint := taskkit_sum(p_now, -p_rate.period);
      v_furthest bigint := taskkit_sum(p_now, p_rate.period);
      v_over bigint := p_rate.used - p_rate.count;
      v_start record;
      v_next bigint;
    BEGIN
      IF p_rate.count <= 0 OR v_over < 0 THEN RETURN NULL; END IF;
      -- Apart, so that each is looked up in the index. What counts no more may be much where nobody claims by the rate any
      -- more: no more of it than makes room.
      v_over := v_over - (
        SELECT coalesce(sum(p.count), 0) FROM (
          SELECT count FROM taskkit_start
          WHERE is_key = p_rate.is_key AND name = p_rate.name AND at <= v_passed ORDER BY at LIMIT v_over + 1) p);
      IF v_over < 0 THEN RETURN NULL; END IF;
      v_over := v_over - (
        SELECT coalesce(sum(a.count), 0) FROM (
          SELECT count FROM taskkit_start
          WHERE is_key = p_rate.is_key AND name = p_rate.name AND at > v_furthest ORDER BY at LIMIT v_over + 1) a);
      -- The one whose leaving makes room: hardly ever more than the first few.
      FOR v_start IN
        SELECT at, count FROM taskkit_start
        WHERE is_key = p_rate.is_key AND name = p_rate.name AND at > v_passed AND at <= v_furthest
        ORDER BY at LIMIT p_most
      LOOP
        EXIT WHEN v_over < 0;
        v_over := v_over - v_start.count;
        v_next := taskkit_sum(v_start.at, p_rate.period);
      END LOOP;
      RETURN v_next;
    END $taskkit$;
    """
}
#endif
