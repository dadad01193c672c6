#if Postgres
extension PostgresSchema {
  /// How processes tell each other that there is something to see.
  static let telling = """
    -- Tells the other processes to look at queues, where there are any; '' is everything. Read by PostgresNews.
    CREATE FUNCTION taskkit_tell(p_owner bigint, p_queues text[])
    RETURNS void LANGUAGE sql SET search_path = @schema@, pg_temp AS $taskkit$
      SELECT pg_notify('taskkit_' || f.identity, p_owner || ':' || q.name)
      FROM taskkit_format f, (
        -- What is too long to be sent, or too much, means everything.
        SELECT DISTINCT CASE WHEN octet_length(n) > 4000 OR cardinality(p_queues) > 100 THEN '' ELSE n END
        FROM unnest(p_queues) n) q (name)
      WHERE EXISTS (SELECT 1 FROM taskkit_owner WHERE id <> p_owner)
    $taskkit$;

    -- Tells the processes that share the store to look at a queue at once, or at all of them; to be called after the
    -- commit.
    CREATE FUNCTION taskkit_wake(queue text = '') RETURNS void LANGUAGE sql SET search_path = @schema@, pg_temp
    AS $taskkit$
      SELECT taskkit_tell(0, ARRAY[coalesce(taskkit_wake.queue, '')])
    $taskkit$;
    """
}
#endif
