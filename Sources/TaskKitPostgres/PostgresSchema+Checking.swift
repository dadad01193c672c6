#if Postgres
extension PostgresSchema {
  /// What keeps builds of different formats apart.
  static let checking = """
    -- Refuses who knows only older formats than the schema has: 'TK004', or what is asked for. It has this one until the
    -- transaction ends, since whoever changes it waits for those who have asked. Asked by stores before they read, and by the
    -- functions themselves where SQL calls them: one that somebody has come into before it was made anew goes on as it was.
    CREATE FUNCTION taskkit_check(p_format bigint, p_code text = 'TK004') RETURNS void LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_format bigint;
    BEGIN
      SELECT version INTO v_format FROM @schema@.taskkit_format;
      IF v_format > p_format THEN
        RAISE 'the schema has format % by now, and this was asked for in format %', v_format, p_format
          USING ERRCODE = p_code;
      END IF;
    END $taskkit$;
    """
}
#endif
