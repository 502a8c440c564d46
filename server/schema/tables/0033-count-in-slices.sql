-- The counts of a broadcast under way are renewed a slice of its recipients at a time, by one node: the time of the next
-- count, or the end of that node's lease. Each recipient is in one slice, so the counts add up without one snapshot.
alter table broadcast add column next_count_at timestamptz not null default now();
