#if Postgres
extension PostgresSchema {
  /// Jobs that a program enqueues in a transaction of its own.
  static let transactions = """
    -- Enqueues jobs as a store would. What it says is a text for clients that pass on nothing else: the ids.
    CREATE FUNCTION taskkit_enqueue_all(p_format bigint, p_identity uuid, p_jobs jsonb, p_payloads bytea[])
    RETURNS text
    LANGUAGE plpgsql SET search_path = @schema@, pg_temp SET enable_seqscan = off SET jit = off AS $taskkit$
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM taskkit_format WHERE identity = p_identity) THEN
        RAISE 'the transaction is one of another database than that of the store' USING ERRCODE = 'TK002';
      END IF;
      PERFORM taskkit_check(p_format);
      RETURN taskkit_add(NULL, NULL, p_jobs, p_payloads)->>'ids';
    END $taskkit$;
    """
}
#endif
