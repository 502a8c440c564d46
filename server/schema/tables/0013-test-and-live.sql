-- Sends with test keys and with live keys are counted apart. A row from before that had both counts as live.
alter table recent_sends drop constraint recent_sends_pkey;
alter table recent_sends add primary key (recipient, company_id, kind, is_test);

-- The price of a fallback's channel, charged when that channel confirms the delivery. Null when the charge is final.
alter table message add column pending_price integer check (pending_price >= 0);
