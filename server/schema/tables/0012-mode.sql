-- The mode that the data was born in, for databases from before it was recorded: every sandbox had a demo company.

insert into installation (name, value)
select 'mode', case when exists (select from installation where name = 'demo_company') then 'sandbox' else 'live' end
where exists (select from company);
