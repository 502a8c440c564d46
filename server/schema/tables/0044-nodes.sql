-- The running processes: what limits that are counted per process are divided by, and what an upgrade waits for. Null in
-- the rows of nodes of the release before.
alter table node_state
  add column mode text,
  add column role text,
  add column host text,
  add column pid integer;
