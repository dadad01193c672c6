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
      v_now bigint;
    BEGIN
      SELECT version INTO v_format FROM @schema@.taskkit_format;
      -- Above READ COMMITTED it sees the table as it was when its transaction began, even where it has just waited for who
      -- changed it. Only now, since nobody makes the function anew from here on; by a text, which is understood each time.
      IF current_setting('transaction_isolation') <> 'read committed' THEN
        EXECUTE $now$SELECT @schema@.taskkit_format_now()$now$ INTO v_now;
        v_format := greatest(v_format, v_now);
      END IF;
      IF v_format > p_format THEN
        RAISE 'the schema has format % by now, and this was asked for in format %', v_format, p_format
          USING ERRCODE = p_code;
      END IF;
    END $taskkit$;

    -- The format of the schema for who may see an old state of tables: functions are found as they are now, whatever a
    -- transaction sees. It stays in all later formats, under this name and with no parameters: functions of this format ask
    -- for it when a later one has come.
    CREATE FUNCTION taskkit_format_now() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT @format@::bigint';
    """
}
#endif
