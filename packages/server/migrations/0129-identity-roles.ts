export const name = '0129-identity-roles';

export const up = `
-- roles that an account defines itself, beside the standard ones
create table account_role (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  permissions text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create unique index account_role_name on account_role (account_id, lower(name));
select platform.tenant_table('account_role');

alter table member add column role_id uuid,
  add constraint member_role_own check ((role = 'custom') = (role_id is not null)),
  add constraint member_role foreign key (account_id, role_id) references account_role;
create index member_role_id on member (account_id, role_id) where role_id is not null;

-- no foreign key: closed invitations outlive their role
alter table invitation add column role_id uuid,
  add constraint invitation_role_own check ((role = 'custom') = (role_id is not null));
create index invitation_role_id on invitation (account_id, role_id) where role_id is not null;
`;
