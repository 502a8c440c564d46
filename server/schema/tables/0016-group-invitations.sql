-- The messenger that an invitation is for. Until now there was Telegram alone.
alter table group_invitation add column channel channel not null default 'telegram';
alter table group_invitation alter column channel drop default;
