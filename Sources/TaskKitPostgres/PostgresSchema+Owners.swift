#if Postgres
extension PostgresSchema {
  /// Of how many dead owners one exchange gives back the jobs at the most.
  static let mostDead = 100

  /// The processes that share the store: their leases, their transactions, and what becomes of what they held.
  ///
  /// Each transaction of an owner has a number, and what its statements said is kept with that, for the case that nobody hears it.
  /// The payloads of jobs that it found with a dead owner, and that have given up, lie among the steps until its next transaction,
  /// under its number with the other sign, which no job has: an answer that is JSON has no room for them.
  static let owners = """
    -- Becomes an owner.
    CREATE FUNCTION taskkit_open(p_name text, p_lease bigint) RETURNS TABLE (owner bigint, identity text)
    LANGUAGE plpgsql SET search_path = @schema@, pg_temp AS $taskkit$
    BEGIN
      RETURN QUERY WITH new AS (
        INSERT INTO taskkit_owner
        VALUES (
          nextval('taskkit_owner_id'), p_name, p_lease, taskkit_clock() + p_lease, taskkit_clock(), NULL, 0, NULL)
        RETURNING id)
      SELECT new.id, f.identity::text FROM new, taskkit_format f;
    END $taskkit$;

    -- Prolongs an owner's lease; false where it is none any more.
    --
    -- Who was silent for longer than half of a lease was cut off, as far as it can know: maybe others were, too. It may not
    -- take them for dead before they have had the time of a lease to come back in.
    CREATE FUNCTION taskkit_prolong(p_owner bigint) RETURNS boolean LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_now bigint;
    BEGIN
      PERFORM 1 FROM taskkit_owner WHERE id = p_owner FOR NO KEY UPDATE;
      -- Only now, since it may have waited for a transaction of its own: it would take back what that has prolonged.
      v_now := taskkit_clock();
      UPDATE taskkit_owner SET
        since = CASE WHEN lease_until < v_now + lease / 2 THEN v_now ELSE least(since, v_now) END,
        doubted = CASE WHEN lease_until < v_now + lease / 2 OR doubted > v_now THEN v_now ELSE doubted END,
        lease_until = v_now + lease
      WHERE id = p_owner;
      RETURN FOUND;
    END $taskkit$;

    -- Lets one of an owner's connections at a time write down whom it doubts. Who does not wait for the others is told whether
    -- it may.
    CREATE FUNCTION taskkit_may_doubt(p_owner bigint, p_waits boolean) RETURNS boolean LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_table integer := 'taskkit_doubt'::regclass::oid::integer;
      v_owner integer := p_owner & 2147483647;
    BEGIN
      IF NOT p_waits THEN RETURN pg_try_advisory_xact_lock(v_table, v_owner); END IF;
      PERFORM pg_advisory_xact_lock(v_table, v_owner);
      RETURN true;
    END $taskkit$;

    CREATE FUNCTION taskkit_beat(p_owner bigint) RETURNS boolean
    LANGUAGE plpgsql SET search_path = @schema@, pg_temp AS $taskkit$
    BEGIN
      -- A beat that a crash of the server takes back does no harm.
      PERFORM set_config('synchronous_commit', 'off', true);
      RETURN taskkit_prolong(p_owner);
    END $taskkit$;

    -- The owners that are dead as far as an owner can tell, each with the end of its lease. Only an owner itself and who gives
    -- its jobs back write to its row or lock it: so whoever looks hides no dead one from anybody, and holds up nobody who
    -- comes back.
    --
    -- One is dead whose lease has passed while somebody was there who gives signs of life as often: for half of the
    -- lease at least, since what has cut both off may have ended just now. Where nobody was, it is doubted, and dead when
    -- it has not come back in the time of its lease, nor in that time from when who judges has come back itself.
    --
    -- Where the server's clock was set back, the last sign of life lies ahead, and the lease would protect a dead owner for
    -- that time, too. It is doubted as well: so each has the time of a lease from then on.
    --
    -- Who gives their jobs back ('p_holds') gets those that nobody else holds, and keeps all others from doing the same until
    -- the transaction ends. Their rows it does not hold yet: it may wait for jobs next, and who comes back must not wait for
    -- that. They are \(mostDead) at the most: such locks have a table of one size for the whole server. 'has_more': there may
    -- be others that nobody holds.
    CREATE FUNCTION taskkit_silent(
      p_owner bigint, p_holds boolean, OUT dead bigint[], OUT untils bigint[], OUT has_more boolean
    ) LANGUAGE plpgsql SET search_path = @schema@, pg_temp AS $taskkit$
    DECLARE
      v_now bigint := taskkit_clock();
      v_judge taskkit_owner;
      v_may_doubt boolean;
      v_tried bigint := 0;
      v_ids bigint[];
      v_untils bigint[];
      v_free bigint[] := '{}';
    BEGIN
      dead := '{}';
      untils := '{}';
      has_more := false;
      IF NOT EXISTS (
        SELECT 1 FROM taskkit_owner WHERE id <> p_owner AND (lease_until <= v_now OR lease_until - lease > v_now))
      THEN RETURN; END IF;
      SELECT * INTO v_judge FROM taskkit_owner WHERE id = p_owner;
      -- The connection that watches waits for no exchange, which may wait for jobs.
      v_may_doubt := taskkit_may_doubt(p_owner, p_holds);
      WITH silent AS (
        SELECT o.id, o.lease_until AS until, o.lease,
          o.lease_until BETWEEN v_judge.since + o.lease / 2 AND v_now AND o.lease >= v_judge.lease AS is_judged, (
            -- Not what a clock has written that was ahead.
            SELECT max(d.at) FROM taskkit_doubt d
            WHERE d.owner = o.id AND d.until = o.lease_until AND d.at <= v_now) AS doubted
        FROM taskkit_owner o
        -- By the clock as it is then: what others have written meanwhile does not lie ahead.
        WHERE o.id <> p_owner AND (o.lease_until <= v_now OR o.lease_until - o.lease > taskkit_clock())
      ), noted AS (
        INSERT INTO taskkit_doubt
        SELECT id, p_owner, until, v_now FROM silent WHERE v_may_doubt AND NOT is_judged AND doubted IS NULL ORDER BY id
        ON CONFLICT (owner, by) DO UPDATE SET until = excluded.until, at = excluded.at)
      -- Whom nobody has doubted is doubted from now on.
      SELECT coalesce(array_agg(s.id ORDER BY s.id), '{}'), coalesce(array_agg(s.until ORDER BY s.id), '{}')
      INTO dead, untils FROM silent s
      WHERE s.is_judged OR greatest(coalesce(s.doubted, v_now), v_judge.doubted) + s.lease <= v_now;
      IF NOT p_holds OR dead = '{}' THEN RETURN; END IF;
      -- One whose row is held is there after all, and may wait for others. Only who could have its jobs tries to hold that,
      -- so that of two who try neither takes the other one for it. Then all is free again: what an error takes back holds
      -- nothing any more. So it goes on with the next ones where some of them are held.
      LOOP
        BEGIN
          SELECT array_agg(r.id), array_agg(r.until), v_tried + max(r.place) INTO v_ids, v_untils, v_tried FROM (
            SELECT x.id, x.until, x.place
            FROM unnest(dead[v_tried + 1:], untils[v_tried + 1:]) WITH ORDINALITY x (id, until, place)
            WHERE taskkit_reserve(x.id) LIMIT \(mostDead)) r;
          v_free := v_free || taskkit_hold_silent(v_ids, v_untils);
          RAISE 'these are held by nobody' USING ERRCODE = 'TK009';
        EXCEPTION WHEN SQLSTATE 'TK009' THEN NULL;
        END;
        has_more := coalesce(cardinality(v_ids) = \(mostDead), false);
        EXIT WHEN NOT has_more OR cardinality(v_free) >= \(mostDead);
      END LOOP;
      has_more := has_more OR cardinality(v_free) > \(mostDead);
      SELECT coalesce(array_agg(x.id ORDER BY x.id), '{}'), coalesce(array_agg(x.until ORDER BY x.id), '{}')
      INTO dead, untils
      FROM unnest(v_free[:\(mostDead)]) f (id) JOIN unnest(dead, untils) x (id, until) ON x.id = f.id
      WHERE taskkit_reserve(f.id);
    END $taskkit$;

    -- The same for who only looks. Watches of the sixth format ask for it in one transaction with their sign of life.
    CREATE FUNCTION taskkit_dead(p_owner bigint, p_holds boolean) RETURNS bigint[]
    LANGUAGE sql VOLATILE SET search_path = @schema@, pg_temp AS $taskkit$
      SELECT dead FROM taskkit_silent(p_owner, p_holds)
    $taskkit$;

    -- Keeps all others from giving back the jobs of a dead owner until the transaction ends; false where somebody else does.
    CREATE FUNCTION taskkit_reserve(p_dead bigint) RETURNS boolean LANGUAGE sql VOLATILE AS $taskkit$
      SELECT pg_try_advisory_xact_lock('taskkit_owner'::regclass::oid::integer, (p_dead & 2147483647)::integer)
    $taskkit$;

    -- Holds the rows of dead owners: of those that nobody else holds, and that have given no sign of life since they were
    -- found, when their leases had these ends.
    CREATE FUNCTION taskkit_hold_silent(p_dead bigint[], p_untils bigint[]) RETURNS bigint[] LANGUAGE plpgsql AS $taskkit$
    BEGIN
      RETURN ARRAY(
        SELECT o.id FROM unnest(p_dead, p_untils) x (id, until)
        JOIN taskkit_owner o ON o.id = x.id AND o.lease_until = x.until ORDER BY o.id FOR UPDATE OF o SKIP LOCKED);
    END $taskkit$;

    -- Holds the owner for this transaction. 'TK001': it is gone; 'TK003': what comes late has been given up; 'TK004': a later
    -- build has changed the schema; 'TK007': the session begins transactions of another level. 'p_place' is the statement's
    -- place among those of one transaction, which have one number.
    CREATE FUNCTION taskkit_begin(p_format bigint, p_owner bigint, p_op bigint, p_place bigint, p_is_relaxed boolean)
    RETURNS void LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_owner taskkit_owner;
    BEGIN
      SELECT * INTO v_owner FROM taskkit_owner WHERE id = p_owner FOR NO KEY UPDATE;
      PERFORM taskkit_check(p_format);
      IF v_owner.id IS NULL THEN RAISE 'owner % is gone', p_owner USING ERRCODE = 'TK001'; END IF;
      IF (p_place = 0 AND v_owner.op >= p_op) OR (p_place > 0 AND v_owner.op <> p_op) THEN
        RAISE 'operation % has been given up', p_op USING ERRCODE = 'TK003';
      END IF;
      IF p_place > 0 THEN RETURN; END IF;
      -- A higher level would show it an old state of what it has waited for.
      IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE 'the server begins transactions of the level %, and jobs need READ COMMITTED',
          upper(current_setting('transaction_isolation'))
          USING ERRCODE = 'TK007',
            HINT = format('ALTER ROLE %I SET default_transaction_isolation = ''read committed''', session_user);
      END IF;
      PERFORM set_config('taskkit.owner', p_owner::text, true);
      -- It has heard what its last transaction said.
      DELETE FROM taskkit_step WHERE id = -p_owner;
      IF p_is_relaxed THEN
        PERFORM set_config('synchronous_commit', 'off', true);
      ELSIF current_setting('synchronous_commit') = 'off' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
      END IF;
      -- Here, too, in case that the connection which does it all the time is broken.
      IF v_owner.lease_until < taskkit_clock() + v_owner.lease / 2 THEN PERFORM taskkit_prolong(p_owner); END IF;
    END $taskkit$;

    -- Lets a transaction wait for the disk all the same: jobs of others have ended in it, or dead owners have lost theirs, and
    -- whoever is told so acts on it. It waits as the role does, unless that does not.
    CREATE FUNCTION taskkit_flush() RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      IF current_setting('synchronous_commit') <> 'off' THEN RETURN; END IF;
      SET LOCAL synchronous_commit TO DEFAULT;
      IF current_setting('synchronous_commit') = 'off' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
      END IF;
    END $taskkit$;

    -- What each statement of a transaction has said, for the case that nobody hears it.
    CREATE FUNCTION taskkit_said(p_owner bigint, p_op bigint, p_place bigint, p_answer jsonb)
    RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      -- It may have waited for so long that its process was cut off meanwhile, as far as anybody knows.
      PERFORM taskkit_prolong(id) FROM taskkit_owner
      WHERE id = p_owner AND lease_until < taskkit_clock() + lease / 2;
      -- Not as plain SQL, which older servers plan anew at each call.
      UPDATE taskkit_owner SET
        op = p_op, lease_until = taskkit_clock() + lease,
        answers = CASE p_place WHEN 0 THEN jsonb_build_array(p_answer) ELSE answers || jsonb_build_array(p_answer) END
      WHERE id = p_owner;
    END $taskkit$;

    -- What has become of an operation after which the connection broke: what its statements said, one after the other, or
    -- nothing where it has not happened, and then it never will. '55P03' where it is still going on after so many
    -- milliseconds: it may wait for somebody else.
    CREATE FUNCTION taskkit_recover(p_owner bigint, p_op bigint, p_patience bigint) RETURNS TABLE (
      answer text, id bigint, token bigint, kind text, queue text, version bigint, payload bytea, attempt bigint,
      maximum_attempts bigint, deadline bigint, needs text, tags text, schedule text, occurrence bigint,
      checkpoint bytea, parent bigint, result bytea, needs_for bigint
    ) LANGUAGE plpgsql SET search_path = @schema@, pg_temp AS $taskkit$
    DECLARE
      v_owner taskkit_owner;
    BEGIN
      PERFORM set_config('lock_timeout', p_patience::text, true);
      SELECT * INTO v_owner FROM taskkit_owner o WHERE o.id = p_owner FOR NO KEY UPDATE;
      IF NOT FOUND THEN RAISE 'owner % is gone', p_owner USING ERRCODE = 'TK001'; END IF;
      IF v_owner.op < p_op THEN
        UPDATE taskkit_owner o SET op = p_op, answers = NULL WHERE o.id = p_owner;
        RETURN;
      END IF;
      FOR v_place IN 0 .. coalesce(jsonb_array_length(v_owner.answers), 0) - 1 LOOP
        -- Of what it gave out, what the owner still holds.
        RETURN QUERY
          SELECT l.* FROM (
            SELECT coalesce(array_agg(s.id ORDER BY c.place), '{}') AS ids, array_agg(s.token ORDER BY c.place) AS tokens,
              array_agg(s.attempts ORDER BY c.place) AS counts, coalesce(bit_or(s.flags), 0) AS flags,
              max(s.began) AS began
            FROM jsonb_array_elements_text(v_owner.answers->v_place->'claimed') WITH ORDINALITY c (id, place), LATERAL (
              SELECT t.id, t.token, t.attempts, t.flags, t.began FROM taskkit_state t
              WHERE t.id = c.id::bigint AND t.state + 0 = 3 AND t.owner + 0 = p_owner OFFSET 0) s) h,
            LATERAL taskkit_lines(p_owner, v_owner.answers->v_place, h.ids, h.tokens, h.counts, h.flags, h.began) l;
      END LOOP;
    END $taskkit$;

    -- Gives back what an owner held: as a crash, or as an interruption.
    CREATE FUNCTION taskkit_release(p_owner bigint, p_is_crash boolean, p_now bigint)
    RETURNS jsonb LANGUAGE plpgsql AS $taskkit$
    DECLARE
      v_rescued jsonb[] := '{}';
      v_held record;
      v_row record;
      v_gave_up jsonb;
    BEGIN
      FOR v_held IN SELECT id, token FROM taskkit_state WHERE state = 3 AND owner = p_owner ORDER BY id LOOP
        -- It may have ended, and even begun again, since it was listed.
        SELECT s.attempts, s.crashes, j.kind, j.maximum_crashes, j.maximum_attempts INTO v_row
        FROM taskkit_state s JOIN taskkit_job j ON j.id = s.id
        WHERE s.id = v_held.id AND s.state + 0 = 3 AND s.token = v_held.token FOR UPDATE OF s;
        CONTINUE WHEN NOT FOUND;
        IF NOT p_is_crash THEN
          PERFORM taskkit_make_ready(v_held.id, p_now, p_now, v_row.attempts - 1, 0);
          CONTINUE;
        END IF;
        v_gave_up := NULL;
        UPDATE taskkit_state SET crashes = crashes + 1 WHERE id = v_held.id;
        PERFORM taskkit_note(v_held.id, v_row.attempts, p_now, 'crash', 'the process died');
        IF v_row.crashes + 1 >= v_row.maximum_crashes THEN
          PERFORM taskkit_hold(
            v_held.id, jsonb_build_object('crashed', jsonb_build_object('times', v_row.crashes + 1)));
        ELSIF v_row.attempts >= v_row.maximum_attempts THEN
          SELECT jsonb_build_object('attempts', v_row.attempts, 'version', j.version) INTO v_gave_up
          FROM taskkit_job j WHERE j.id = v_held.id;
          -- For who has found it, since the job may be deleted.
          INSERT INTO taskkit_step SELECT -taskkit_slot(), j.id::text, j.payload FROM taskkit_job j WHERE j.id = v_held.id;
          PERFORM taskkit_exhaust(v_held.id, p_now);
        ELSE
          PERFORM taskkit_make_ready(v_held.id, p_now, p_now);
        END IF;
        v_rescued := v_rescued || jsonb_build_object(
          'id', v_held.id, 'kind', v_row.kind, 'state', (SELECT state FROM taskkit_state WHERE id = v_held.id),
          'gave_up', v_gave_up);
      END LOOP;
      DELETE FROM taskkit_cancel WHERE owner = p_owner;
      DELETE FROM taskkit_step WHERE id = -p_owner;
      DELETE FROM taskkit_owner WHERE id = p_owner;
      RETURN to_jsonb(v_rescued);
    END $taskkit$;
    """
}
#endif
