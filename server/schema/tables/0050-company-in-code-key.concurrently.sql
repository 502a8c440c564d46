-- The key of codes gets the company. It does not begin with it: a code is looked for by its key, phone and purpose.
create unique index concurrently if not exists code_with_company on code (key_id, phone, purpose, company_id);
