-- When a replaced secret was last used: once it is not any more, it can be ended.
alter table key_use add column previous_used_at timestamptz;
