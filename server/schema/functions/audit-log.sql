-- The hash of a record over itself and the previous record of its company.
create or replace function audit_hash(p_before bytea, p_record audit_record) returns bytea language sql immutable as $$
  select sha256(p_before || convert_to(concat_ws(E'\x1f', p_record.company_id, p_record.id,
    extract(epoch from p_record.at), coalesce(p_record.person_id, '-'), coalesce(p_record.person_name, '-'),
    p_record.action, p_record.object, coalesce(p_record.before::text, '-'), coalesce(p_record.after::text, '-'),
    coalesce(p_record.address, '-'), coalesce(p_record.device, '-'), coalesce(p_record.request_id, '-')), 'UTF8'))
$$;

-- Sets the number and the hash. The company's row is locked, so that two records never follow the same one.
create or replace function chain_audit() returns trigger language plpgsql as $$
declare
  v_last audit_record;
begin
  perform from company where id = new.company_id for no key update;
  select * into v_last from audit_record where company_id = new.company_id order by id desc limit 1;
  new.id := coalesce(v_last.id, 0) + 1;
  new.hash := audit_hash(coalesce(v_last.hash, ''::bytea), new);
  return new;
end $$;
create or replace trigger audit_is_chained before insert on audit_record
  for each row execute function chain_audit();

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit records are never changed';
end $$;
create or replace trigger audit_is_final before update or delete on audit_record
  for each row execute function refuse_audit_change();
create or replace trigger audit_is_kept before truncate on audit_record
  for each statement execute function refuse_audit_change();
