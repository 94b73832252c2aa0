export const name = '0075-shared-certificate';

export const up = `
-- two boxes that show one certificate and take each other's session; held_since is null while that is only suspected
create table shared_certificate (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  -- address, MAC, model, firmware and boot cause of the box that was there first, which keeps the session, and of the other
  first_box jsonb not null,
  second_box jsonb not null,
  -- take-overs in turn, so far
  switches integer not null,
  -- the latest take-over, or the latest attempt of the box that is held off
  at timestamptz not null,
  held_since timestamptz,
  primary key (account_id, serial)
);
select platform.tenant_table('shared_certificate');
select platform.narrow_by_device('shared_certificate');
`;
