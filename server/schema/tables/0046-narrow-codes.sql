-- A code is written with every send and once more when it is verified. Most codes never see a wrong guess, and the half of
-- its mac is more than a code of eight digits needs. So a row is a fifth smaller, and its page may be fuller.
alter table code alter column failed_at drop not null, alter column failed_at drop default;
alter table code set (fillfactor = 65);
-- A phone gets its next send long after the page of its row was written.
alter table recent_sends set (fillfactor = 85);
