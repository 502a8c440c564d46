-- The functions of the hot path always go by their primary keys: a handful of rows in, an index probe for each. A plan
-- made while a table is small, as every table is at first and every partition at the start of a month, would read it
-- whole instead, and stay in use while the table grows. One plan for all calls also saves making it anew.

do $$
declare
  v_function regproc;
begin
  foreach v_function in array
    array['reserve', 'settle', 'record_receipts', 'standing_attempt', 'verify', 'shorten']::regproc[]
  loop
    execute format('alter function %s set enable_seqscan = off set enable_hashjoin = off
      set enable_mergejoin = off set plan_cache_mode = force_generic_plan', v_function);
  end loop;
end $$;
