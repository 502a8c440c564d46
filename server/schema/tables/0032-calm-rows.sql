-- Every row of a broadcast is updated once while it runs. Cleaning the table every few thousand rows would compete with
-- the codes that are sent meanwhile, and no query needs newer statistics.
alter table broadcast_row set (
  autovacuum_vacuum_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.2, autovacuum_vacuum_insert_scale_factor = 0.5,
  autovacuum_vacuum_cost_limit = 200
);
