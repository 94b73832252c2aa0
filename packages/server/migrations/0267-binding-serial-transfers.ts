export const name = '0267-binding-serial-transfers';

export const up = `
-- when a factory certificate, or the installation's administrator, vouched for the account that holds the serial
alter table serial_directory add column proven_at timestamptz;

-- moves of a serial from its holder (account_id) that the installation's administrator asked for
create table serial_transfer (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  serial text not null,
  -- null: the serial is released
  to_account_id uuid,
  reason text not null,
  asked_at timestamptz not null,
  asked_by text not null,
  asker_account_id uuid not null,
  asker_id uuid not null,
  due_at timestamptz not null,
  state text not null check (state in ('waiting', 'moved', 'objected', 'withdrawn')),
  decided_at timestamptz,
  decided_by text,
  objection text,
  primary key (account_id, id)
);
create unique index serial_transfer_waiting on serial_transfer (account_id, serial) where state = 'waiting';
create index serial_transfer_due on serial_transfer (due_at) where state = 'waiting';
select platform.tenant_table('serial_transfer');
select platform.narrow_by_device('serial_transfer');
`;
