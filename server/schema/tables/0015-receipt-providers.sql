-- The provider that reported it; null for the sandbox. Known before the attempt is settled, compared then.
alter table early_receipt add column provider text;
