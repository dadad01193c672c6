#if Postgres
extension PostgresSchema {
  /// How many jobs there are of each sort, kept by whatever changes one: nobody has to count them.
  static let counting = """
    -- Who changes something; see the table of counts.
    CREATE FUNCTION taskkit_slot() RETURNS bigint LANGUAGE sql STABLE AS $taskkit$
      SELECT coalesce(nullif(current_setting('taskkit.owner', true), '')::bigint, -1 - pg_backend_pid())
    $taskkit$;

    -- Whoever changes many jobs one by one gathers what is counted, by shelves and states, and adds it at the end: each change
    -- of a row leaves an old version, which all later ones of the same transaction have to pass by. It is a text that is only
    -- added to, of entries with a comma behind each: jobs may lie on as many shelves, and to look through those that have
    -- gathered for each job would take the square of that.
    CREATE FUNCTION taskkit_gather() RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      PERFORM set_config('taskkit.gathered', ',', true);
    END $taskkit$;
    CREATE FUNCTION taskkit_add_gathered() RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      INSERT INTO taskkit_count AS c
      SELECT f.queue, f.kind, g.state, taskkit_slot(), sum(g.count), sum(g.moves)
      FROM (
        SELECT split_part(e, ' ', 1)::integer AS shelf, split_part(e, ' ', 2)::smallint AS state,
          sum(split_part(e, ' ', 3)::bigint) AS count, sum(abs(split_part(e, ' ', 3)::bigint)) AS moves
        FROM unnest(string_to_array(current_setting('taskkit.gathered', true), ',')) e WHERE e <> '' GROUP BY 1, 2
      ) g JOIN taskkit_shelf f ON f.id = g.shelf GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (queue, kind, state, slot) DO UPDATE
      SET count = c.count + excluded.count, moves = c.moves + excluded.moves;
      PERFORM set_config('taskkit.gathered', '', true);
    END $taskkit$;

    CREATE FUNCTION taskkit_counted() RETURNS trigger LANGUAGE plpgsql SET search_path = @schema@, pg_temp AS $taskkit$
    DECLARE
      v_gathered text := nullif(current_setting('taskkit.gathered', true), '');
      v_entries text;
    BEGIN
      IF v_gathered IS NOT NULL THEN
        IF TG_OP = 'INSERT' THEN
          SELECT string_agg(format('%s %s %s,', n.shelf, n.state, n.count), '') INTO v_entries
          FROM (SELECT shelf, state, count(*) AS count FROM new_rows GROUP BY 1, 2) n;
        ELSIF TG_OP = 'DELETE' THEN
          SELECT string_agg(format('%s %s %s,', o.shelf, o.state, -o.count), '') INTO v_entries
          FROM (SELECT shelf, state, count(*) AS count FROM old_rows GROUP BY 1, 2) o;
        ELSE
          SELECT string_agg(format('%s %s %s,', m.shelf, m.state, m.step), '') INTO v_entries FROM (
            SELECT r.shelf, r.state, sum(r.step) AS step FROM (
              SELECT shelf, state, -1 AS step FROM old_rows UNION ALL SELECT shelf, state, 1 FROM new_rows
            ) r GROUP BY 1, 2 HAVING sum(r.step) <> 0) m;
        END IF;
        IF v_entries IS NULL THEN RETURN NULL; END IF;
        PERFORM set_config('taskkit.gathered', v_gathered || v_entries, true);
        -- What has gathered is copied with each change, so that it must not become long.
        IF length(v_gathered) > 20000 THEN
          PERFORM taskkit_add_gathered();
          PERFORM taskkit_gather();
        END IF;
      ELSIF TG_OP = 'INSERT' THEN
        INSERT INTO taskkit_count AS c
        SELECT f.queue, f.kind, n.state, taskkit_slot(), count(*), count(*)
        FROM new_rows n JOIN taskkit_shelf f ON f.id = n.shelf GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (queue, kind, state, slot) DO UPDATE
        SET count = c.count + excluded.count, moves = c.moves + excluded.moves;
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO taskkit_count AS c
        SELECT f.queue, f.kind, o.state, taskkit_slot(), -count(*), count(*)
        FROM old_rows o JOIN taskkit_shelf f ON f.id = o.shelf GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (queue, kind, state, slot) DO UPDATE
        SET count = c.count + excluded.count, moves = c.moves + excluded.moves;
      ELSE
        INSERT INTO taskkit_count AS c
        SELECT f.queue, f.kind, m.state, taskkit_slot(), sum(m.step), sum(abs(m.step))
        FROM (
          SELECT r.shelf, r.state, sum(r.step) AS step FROM (
            SELECT shelf, state, -1 AS step FROM old_rows UNION ALL SELECT shelf, state, 1 FROM new_rows
          ) r GROUP BY 1, 2 HAVING sum(r.step) <> 0
        ) m JOIN taskkit_shelf f ON f.id = m.shelf GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (queue, kind, state, slot) DO UPDATE
        SET count = c.count + excluded.count, moves = c.moves + excluded.moves;
      END IF;
      RETURN NULL;
    END $taskkit$;
    -- Exchanges count what they end and give out by themselves, in one statement: see taskkit_count_exchange.
    CREATE TRIGGER taskkit_counted_insert AFTER INSERT ON taskkit_state REFERENCING NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION taskkit_counted();
    CREATE TRIGGER taskkit_counted_delete AFTER DELETE ON taskkit_state REFERENCING OLD TABLE AS old_rows
      FOR EACH STATEMENT WHEN (current_setting('taskkit.is_counted', true) IS DISTINCT FROM 'on')
      EXECUTE FUNCTION taskkit_counted();
    CREATE TRIGGER taskkit_counted_update AFTER UPDATE ON taskkit_state
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT WHEN (current_setting('taskkit.is_counted', true) IS DISTINCT FROM 'on')
      EXECUTE FUNCTION taskkit_counted();

    -- Counts jobs that are gone and jobs that were given out, both by their shelves.
    CREATE FUNCTION taskkit_count_exchange(p_gone integer[], p_begun integer[]) RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      INSERT INTO taskkit_count AS c
      SELECT f.queue, f.kind, m.state, taskkit_slot(), sum(m.step), sum(abs(m.step))
      FROM (
        SELECT g AS shelf, 3 AS state, -count(*) AS step FROM unnest(p_gone) g GROUP BY 1
        UNION ALL
        SELECT b.shelf, v.state, v.sign * b.count FROM (
          SELECT u AS shelf, count(*) AS count FROM unnest(p_begun) u GROUP BY 1) b, (VALUES (2, -1), (3, 1)) v (state, sign)
      ) m JOIN taskkit_shelf f ON f.id = m.shelf GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (queue, kind, state, slot) DO UPDATE
      SET count = c.count + excluded.count, moves = c.moves + excluded.moves;
    END $taskkit$;

    -- Lets others see that something has changed which is no state of a job: in queues, or everywhere.
    CREATE FUNCTION taskkit_touch(p_queues text[]) RETURNS void LANGUAGE sql AS $taskkit$
      INSERT INTO taskkit_count AS c SELECT DISTINCT q, '', 0, taskkit_slot(), 0, 1 FROM unnest(p_queues) q
      ON CONFLICT (queue, kind, state, slot) DO UPDATE SET moves = c.moves + 1
    $taskkit$;
    """
}
#endif
