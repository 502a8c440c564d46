-- A message centre that restarts counts its ids from the beginning, and two that share the load give the same ones. So an
-- id may belong to messages to several phones, and a receipt finds its message by the phone that it names.

alter table provider_ref
  -- The last ten digits of the phone of the message, or of a receipt that waits: phones are written with and without the
  -- country code. 0 for providers that give an id once, and for a receipt that names no phone.
  add column phone_tail bigint not null default 0,
  -- The id as another part of the same centre may spell it, see folded_provider_id. Null for a message whose id can be
  -- spelt in one way only, and for providers that give an id once.
  add column folded_id text;
alter table provider_ref drop constraint provider_ref_pkey, add primary key (provider_id, phone_tail);
create index provider_ref_folded on provider_ref (folded_id) where folded_id is not null;

drop function if exists pass_on_receipts(text[]);
