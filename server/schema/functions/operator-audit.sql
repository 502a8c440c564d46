-- The hash of a record over itself and the record before it.
create or replace function operator_audit_hash(p_before bytea, p_record operator_audit) returns bytea
language sql immutable as $$
  select sha256(p_before || convert_to(concat_ws(E'\x1f', p_record.id, extract(epoch from p_record.at),
    coalesce(p_record.person_id, '-'), coalesce(p_record.person_name, '-'), p_record.action, p_record.object,
    coalesce(p_record.company_id::text, '-'), coalesce(p_record.before::text, '-'), coalesce(p_record.after::text, '-'),
    coalesce(p_record.address, '-'), coalesce(p_record.device, '-'), coalesce(p_record.request_id, '-')), 'UTF8'))
$$;

-- Sets the number and the hash. One record at a time, until its transaction ends, so that two records never follow the
-- same one.
create or replace function chain_operator_audit() returns trigger language plpgsql as $$
declare
  v_last operator_audit;
begin
  perform pg_advisory_xact_lock(hashtextextended('zhiber operator audit', 0));
  select * into v_last from operator_audit order by id desc limit 1;
  new.id := coalesce(v_last.id, 0) + 1;
  new.hash := operator_audit_hash(coalesce(v_last.hash, ''::bytea), new);
  return new;
end $$;
create or replace trigger operator_audit_is_chained before insert on operator_audit
  for each row execute function chain_operator_audit();

create or replace trigger operator_audit_is_final before update or delete on operator_audit
  for each row execute function refuse_audit_change();
create or replace trigger operator_audit_is_kept before truncate on operator_audit
  for each statement execute function refuse_audit_change();
