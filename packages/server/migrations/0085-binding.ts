export const name = '0085-binding';

export const up = `
-- binding codes with a name and limits, beside the account's own one
create table installer_code (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  code text not null,
  -- how many devices may enrol with it; null for any number
  max_devices integer,
  expires_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  withdrawn_at timestamptz,
  primary key (account_id, id)
);
select platform.tenant_table('installer_code');
drop policy tenant on installer_code;
create policy tenant on installer_code to yunxun_app
  using (account_id = (select platform.account()) and (select platform.networks()) is null)
  with check (account_id = (select platform.account()) and (select platform.networks()) is null);

-- null for the account's own code
alter table binding_directory add column code_id uuid;

-- enrolments by code; code_id is null for the account's own one
create table binding_use (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  code_id uuid,
  serial text not null,
  address text not null,
  at timestamptz not null,
  primary key (account_id, id)
);
create index binding_use_time on binding_use (account_id, at desc);
create index binding_use_code on binding_use (account_id, code_id, serial);
select platform.tenant_table('binding_use');
select platform.narrow_by_device('binding_use');

-- devices that ask to enrol again without a proof by their old key; one row per serial and source address (IPv6: one /64)
create table enrolment_request (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  source text not null,
  address text not null,
  platform text,
  model text,
  code_id uuid,
  asked_at timestamptz not null,
  last_at timestamptz not null,
  tries integer not null,
  decision text check (decision in ('allow', 'refuse')),
  decided_by text,
  -- how long the decision counts
  until timestamptz,
  primary key (account_id, serial, source)
);
create index enrolment_request_time on enrolment_request (account_id, last_at desc);
select platform.tenant_table('enrolment_request');
select platform.narrow_by_device('enrolment_request');
`;
