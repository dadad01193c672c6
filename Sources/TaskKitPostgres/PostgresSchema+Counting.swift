#if Postgres
extension PostgresSchema {
  /// How many jobs there are of each sort, kept by whatever changes one: nobody has to count them.
  static let counting = """
    -- Who changes something; see the table of counts.
    CREATE FUNCTION taskkit_slot() RETURNS bigint LANGUAGE sql STABLE AS $taskkit$
      SELECT coalesce(nullif(current_setting('taskkit.owner', true), '')::bigint, -1 - pg_backend_pid())
    $taskkit$;

    -- Whoever changes many jobs one by one gathers what is counted, by shelves and states, and adds it at the end: each change
    -- of a row leaves an old version, which all later ones of the same transaction have to pass by.
    CREATE FUNCTION taskkit_gather() RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      PERFORM set_config('taskkit.gathered', '{}', true);
    END $taskkit$;
    CREATE FUNCTION taskkit_add_gathered() RETURNS void LANGUAGE plpgsql AS $taskkit$
    BEGIN
      INSERT INTO taskkit_count AS c
      SELECT f.queue, f.kind, split_part(g.key, ' ', 2)::smallint, taskkit_slot(), sum((g.value->>0)::bigint),
        sum((g.value->>1)::bigint)
      FROM jsonb_each(nullif(current_setting('taskkit.gathered', true), '')::jsonb) g
      JOIN taskkit_shelf f ON f.id = split_part(g.key, ' ', 1)::integer
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (queue, kind, state, slot) DO UPDATE
      SET count = c.count + excluded.count, moves = c.moves + excluded.moves;
      PERFORM set_config('taskkit.gathered', '', true);
    END $taskkit$;

    CREATE FUNCTION taskkit_counted() RETURNS trigger LANGUAGE plpgsql SET search_path = @schema@, pg_temp AS $taskkit$
    DECLARE
      v_gathered jsonb := nullif(current_setting('taskkit.gathered', true), '')::jsonb;
      v_counts jsonb;
    BEGIN
      IF v_gathered IS NOT NULL AND TG_OP <> 'INSERT' THEN
        IF TG_OP = 'DELETE' THEN
          SELECT jsonb_object_agg(o.place, jsonb_build_array(-o.count, o.count)) INTO v_counts
          FROM (SELECT shelf || ' ' || state AS place, count(*) AS count FROM old_rows GROUP BY 1) o;
        ELSE
          SELECT jsonb_object_agg(m.place, jsonb_build_array(m.step, abs(m.step))) INTO v_counts FROM (
            SELECT r.shelf || ' ' || r.state AS place, sum(r.step) AS step FROM (
              SELECT shelf, state, -1 AS step FROM old_rows UNION ALL SELECT shelf, state, 1 FROM new_rows
            ) r GROUP BY 1 HAVING sum(r.step) <> 0) m;
        END IF;
        IF v_counts IS NULL THEN RETURN NULL; END IF;
        SELECT jsonb_object_agg(b.key, jsonb_build_array(b.count, b.moves)) INTO v_counts FROM (
          SELECT a.key, sum((a.value->>0)::bigint) AS count, sum((a.value->>1)::bigint) AS moves
          FROM (SELECT * FROM jsonb_each(v_gathered) UNION ALL SELECT * FROM jsonb_each(v_counts)) a GROUP BY 1) b;
        PERFORM set_config('taskkit.gathered', v_counts::text, true);
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
