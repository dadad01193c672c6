#if Postgres
extension PostgresSchema {
  /// Steps of attempts in transactions of the program's own.
  static let steps = """
    -- Whether an attempt holds its job, until the transaction ends; 'TK005' where it does not.
    CREATE FUNCTION taskkit_hold_attempt(p_id bigint, p_token bigint) RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      PERFORM 1 FROM taskkit_state WHERE id = p_id AND state + 0 = 3 AND token = p_token FOR UPDATE;
      IF NOT FOUND THEN
        RAISE 'the attempt with the token % no longer holds job %', p_token, p_id USING ERRCODE = 'TK005';
      END IF;
    END $taskkit$;

    -- Writes the result of a step down; false where it is there already.
    CREATE FUNCTION taskkit_write_step(p_id bigint, p_token bigint, p_step text, p_result bytea)
    RETURNS boolean LANGUAGE plpgsql AS $taskkit$
    BEGIN
      PERFORM taskkit_hold_attempt(p_id, p_token);
      INSERT INTO taskkit_step VALUES (p_id, p_step, p_result) ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN RETURN false; END IF;
      UPDATE taskkit_state SET flags = flags | 8 WHERE id = p_id AND flags & 8 = 0;
      RETURN true;
    END $taskkit$;

    -- Says that a step of a job is done in the caller's transaction; see the documentation of TaskKitPostgres.
    CREATE FUNCTION taskkit_once(job bigint, token bigint, step text, result jsonb = NULL) RETURNS boolean
    LANGUAGE plpgsql SET search_path = @schema@, pg_temp SET enable_seqscan = off SET jit = off AS $taskkit$
    BEGIN
      PERFORM taskkit_check(@format@, '40001');
      RETURN taskkit_write_step(
        taskkit_once.job, taskkit_once.token, taskkit_once.step,
        convert_to(coalesce(taskkit_once.result::text, ''), 'UTF8'));
    END $taskkit$;

    -- What a step has left: 'null' where that is nothing, NULL where it has not been done.
    CREATE FUNCTION taskkit_result(job bigint, step text) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = @schema@, pg_temp AS $taskkit$
      SELECT coalesce(nullif(convert_from(s.result, 'UTF8'), ''), 'null')::jsonb FROM taskkit_step s
      WHERE s.id = taskkit_result.job AND s.name = taskkit_result.step
    $taskkit$;

    -- The two statements of a program's step: before the body, which is not run where the attempt no longer counts or the
    -- step has been done, and after it. The first one says in which transaction it was, since a body that is in none
    -- would have happened whatever the second one says.
    CREATE FUNCTION taskkit_look(p_format bigint, p_identity uuid, p_id bigint, p_token bigint, p_step text)
    RETURNS text
    LANGUAGE plpgsql SET search_path = @schema@, pg_temp SET enable_seqscan = off SET jit = off AS $taskkit$
    DECLARE
      v_result bytea;
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM taskkit_format WHERE identity = p_identity) THEN
        RAISE 'the transaction is one of another database than that of the store' USING ERRCODE = 'TK002';
      END IF;
      PERFORM taskkit_check(p_format);
      IF NOT EXISTS (SELECT 1 FROM taskkit_state WHERE id = p_id AND state + 0 = 3 AND token = p_token) THEN
        RETURN 'stale';
      END IF;
      SELECT result INTO v_result FROM taskkit_step WHERE id = p_id AND name = p_step;
      RETURN CASE WHEN FOUND THEN 'done ' || encode(v_result, 'base64') ELSE 'new ' || pg_current_xact_id() END;
    END $taskkit$;

    CREATE FUNCTION taskkit_keep(p_transaction text, p_id bigint, p_token bigint, p_step text, p_result bytea)
    RETURNS text
    LANGUAGE plpgsql SET search_path = @schema@, pg_temp SET enable_seqscan = off SET jit = off AS $taskkit$
    BEGIN
      IF pg_current_xact_id()::text <> p_transaction THEN
        RAISE 'step ''%'' of job % has not been done in one transaction', p_step, p_id
          USING ERRCODE = 'TK002', HINT = 'Begin a transaction before the step, and commit it afterwards.';
      END IF;
      IF NOT taskkit_write_step(p_id, p_token, p_step, p_result) THEN
        RAISE 'step ''%'' of job % has been done meanwhile', p_step, p_id USING ERRCODE = 'TK005';
      END IF;
      RETURN '';
    END $taskkit$;
    """
}
#endif
