-- The log of a webhook by type and state: with the type alone in the index, a type that never failed was read as a whole
-- to find that out. A type alone is read state by state, each in the order of this index.
drop index webhook_delivery_type;
create index webhook_delivery_type on webhook_delivery (endpoint_id, type, state, event_id);
