-- What a logged call asked for and was answered, redacted before it is stored: no code, no key, and of a body that is no
-- JSON its shape alone. The phone in full is shown by right, and lets a search by it be exact. A node of the release before
-- leaves all three empty.
alter table request_log
  add column recipient bigint,
  add column request_body text,
  add column answer_body text;
