-- The cursor of take_due may pass a message whose commit it could not see: one that waits for a standby stays invisible
-- for any length of time. This second, slow cursor covers what the first has passed, once every transaction that was
-- writing then has ended: by then nothing more can become visible.
--
-- Makes missed messages due again, at most p_limit at a time. Returns how many were missed, and whether there is more
-- to cover at once.
create or replace function sweep_missed(p_limit integer) returns table (missed integer, has_more boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  v_watch watch;
  v_to timestamptz;
  v_has_more boolean;
  v_missed integer;
begin
  select * into v_watch from watch for update skip locked;
  if not found or pg_snapshot_xmin(pg_current_snapshot()) < v_watch.sweep_after then
    return query select 0, false;
    return;
  end if;

  select m.next_check_at into v_to from message m
  where m.next_check_at > v_watch.swept_until and m.next_check_at <= v_watch.sweep_to
  order by m.next_check_at offset p_limit limit 1;
  v_has_more := found;
  v_to := coalesce(v_to, v_watch.sweep_to);

  -- The same messages that take_due would have taken, or whose sealed codes it would have removed.
  update message m set next_check_at = clock_timestamp() + interval '5 seconds'
  where m.next_check_at > v_watch.swept_until and m.next_check_at <= v_to
    and (m.state = 'sending'
      or m.state = 'sent' and (m.receipt is null or m.receipt < 'delivered' and m.route <> '')
      or m.hold > 0
      or m.attempt > 1 and is_attempt_open(m.company_id, m.id, m.attempt)
      or m.kind = 'otp' and exists (select 1 from code c where c.key_id = m.key_id and c.phone = m.recipient
        and c.purpose = m.purpose and c.message_id = m.id and c.sealed is not null));
  get diagnostics v_missed = row_count;

  update watch set swept_until = v_to;
  if not v_has_more then
    -- A minute behind the cursor: next_check_at is read from the clock a moment before its transaction gets an id.
    update watch set sweep_to = greatest(checked_until - interval '1 minute', v_to),
      sweep_after = pg_snapshot_xmax(pg_current_snapshot());
  end if;
  return query select v_missed, v_has_more;
end $$;
