#if Postgres
extension PostgresSchema {
  /// How many jobs may start in a time.
  static let rates = """
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
      -- What was started by a clock that was far ahead would hold up the others for as long as that.
      DELETE FROM taskkit_start t USING taskkit_rate r
      WHERE t.is_key = p_is_key AND t.name = ANY (v_names) AND r.is_key = t.is_key AND r.name = t.name
        AND (taskkit_sum(t.at, r.period) <= p_now OR t.at > taskkit_sum(p_now, r.period));
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
      WHERE is_key = p_rate.is_key AND name = p_rate.name AND taskkit_sum(at, p_rate.period) > p_now
        AND at <= taskkit_sum(p_now, p_rate.period);
      IF v_over < 0 THEN RETURN NULL; END IF;
      -- The one whose leaving makes room.
      RETURN (
        SELECT taskkit_sum(at, p_rate.period) FROM (
          SELECT at, sum(count) OVER (ORDER BY at) AS started FROM taskkit_start
          WHERE is_key = p_rate.is_key AND name = p_rate.name AND taskkit_sum(at, p_rate.period) > p_now
            AND at <= taskkit_sum(p_now, p_rate.period)) t
        WHERE started > v_over ORDER BY at LIMIT 1);
    END $taskkit$;
    """
}
#endif
