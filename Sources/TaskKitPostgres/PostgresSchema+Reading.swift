#if Postgres
extension PostgresSchema {
  static let reading = """
    -- Everything that is known of jobs, in the order of their ids.
    CREATE FUNCTION taskkit_jobs(p_selection jsonb, p_after bigint, p_limit bigint) RETURNS TABLE (
      id bigint, kind text, queue text, state bigint, major bigint, minor bigint, version bigint, payload bytea,
      attempts bigint, maximum_attempts bigint, crashes bigint, deadline bigint, created bigint, due bigint,
      began bigint, ended bigint, needs text, needs_until bigint, unique_key text, limit_key text, limit_count bigint,
      hold text, tags text, completed bigint, total bigint, checkpoint bytea, result bytea, errors text, parents text,
      maximum_crashes bigint, exhaustion bigint, parent_failure bigint, keep_finished bigint, keep_failed bigint,
      unique_period bigint, schedule text, occurrence bigint
    ) LANGUAGE plpgsql STABLE SET search_path = @schema@, pg_temp SET jit = off AS $taskkit$
    BEGIN
      RETURN QUERY EXECUTE
        'SELECT s.id, j.kind, j.queue, s.state::bigint, s.major, s.minor, j.version, j.payload, s.attempts,
          j.maximum_attempts, s.crashes, j.deadline, j.created, s.due, s.began, s.ended, to_json(j.needs)::text,
          j.needs_until, j.unique_key, j.limit_key, j.limit_count, s.hold::text, to_json(j.tags)::text, s.completed,
          s.total, (SELECT c.data FROM taskkit_checkpoint c WHERE c.id = s.id AND s.flags & 2 <> 0), s.result,
          (SELECT json_agg(e ORDER BY e.place)::text FROM taskkit_error e WHERE e.id = s.id AND s.flags & 4 <> 0),
          (SELECT json_agg(e.parent ORDER BY e.place)::text FROM taskkit_edge e
            WHERE e.child = s.id AND e.is_open AND s.flags & 1 <> 0),
          j.maximum_crashes, j.exhaustion::bigint, j.parent_failure::bigint, j.keep_finished, j.keep_failed,
          j.unique_period, j.schedule, j.occurrence
        FROM ' || taskkit_from(p_selection)
        || ' WHERE s.id > $2 AND ' || taskkit_where(p_selection) || ' ORDER BY s.id LIMIT $3'
        USING p_selection, p_after, p_limit;
    END $taskkit$;

    -- The rates, and what is left of them at a time.
    CREATE FUNCTION taskkit_rates(p_time bigint) RETURNS TABLE (
      is_key boolean, name text, count bigint, period bigint, free bigint, wait bigint
    ) LANGUAGE plpgsql STABLE SET search_path = @schema@, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off
    SET jit = off AS $taskkit$
    DECLARE
      v_now bigint := coalesce(p_time, taskkit_clock());
    BEGIN
      RETURN QUERY
        SELECT r.is_key, r.name, r.count, r.period,
          greatest(0, r.count - r.used + (
            SELECT coalesce(sum(t.count), 0) FROM taskkit_start t
            WHERE t.is_key = r.is_key AND t.name = r.name AND t.at <= taskkit_sum(v_now, -r.period)
          ) + (
            SELECT coalesce(sum(t.count), 0) FROM taskkit_start t
            WHERE t.is_key = r.is_key AND t.name = r.name AND t.at > taskkit_sum(v_now, r.period)))::bigint,
          taskkit_sum(taskkit_next_start(r, v_now, NULL), -v_now)
        FROM taskkit_rate r ORDER BY r.is_key, r.name COLLATE "C";
    END $taskkit$;
    """
}
#endif
