-- Counts a change in a month that is watched, in the transaction of the change: an audit that stores its sums at the same
-- time, or has stored them, finds that they no longer hold. The arguments of the trigger are the key of the month.
create or replace function count_month_change() returns trigger language plpgsql as $$
begin
  update audited_month set changes = changes + 1 where table_name = tg_argv[0] and month = tg_argv[1]::date;
  return null;
end $$;

-- Watches a month for changes that an audit would have to know of. A late receipt is none.
create or replace function watch_month(p_table text, p_month date) returns void language plpgsql as $$
declare
  v_partition text;
  v_suffix text := to_char(p_month, '_YYYY_MM');
begin
  if exists (select from audited_month where table_name = p_table and month = p_month) then
    return;
  end if;
  insert into audited_month (table_name, month) values (p_table, p_month);
  foreach v_partition in array case p_table
    when 'message' then array['message' || v_suffix, 'attempt' || v_suffix] else array[p_table || v_suffix] end
  loop
    execute format('create trigger month_row_changed after insert or delete%s on %I
      for each row execute function count_month_change(%L, %L)',
      case when p_table = 'message' and v_partition like 'message%' then '' else ' or update' end,
      v_partition, p_table, p_month);
    if v_partition like 'message%' then
      execute format('create trigger month_sum_changed after update on %I for each row
        when ((old.company_id, old.id, old.key_id, old.is_test, old.state, old.attempt, old.hold, old.charged,
            old.pending_price, old.created_at)
          is distinct from (new.company_id, new.id, new.key_id, new.is_test, new.state, new.attempt, new.hold,
            new.charged, new.pending_price, new.created_at))
        execute function count_month_change(%L, %L)', v_partition, p_table, p_month);
    end if;
    execute format('create trigger month_was_emptied after truncate on %I
      for each statement execute function count_month_change(%L, %L)', v_partition, p_table, p_month);
  end loop;
end $$;
