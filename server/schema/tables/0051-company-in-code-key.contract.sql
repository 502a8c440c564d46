-- No function names the old key any more.
alter table code drop constraint code_pkey, add constraint code_pkey primary key using index code_with_company;
