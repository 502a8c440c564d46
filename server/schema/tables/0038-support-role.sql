-- The role of people who answer clients. The rights of each role are in the code.
alter table member drop constraint member_role_check,
  add constraint member_role_check
    check (role in ('owner', 'manager', 'developer', 'accountant', 'marketer', 'support', 'viewer'));
alter table invitation drop constraint invitation_role_check,
  add constraint invitation_role_check
    check (role in ('owner', 'manager', 'developer', 'accountant', 'marketer', 'support', 'viewer'));
