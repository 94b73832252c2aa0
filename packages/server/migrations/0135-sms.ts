export const name = '0135-sms';

/** SMS of accounts, and the low-balance warning. */
export const up = `
create table sms_message (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  -- null: alarms of several networks
  gwid uuid,
  phone_masked text not null,
  purpose text not null check (purpose in ('login', 'alarm')),
  template text not null,
  outbox_id uuid not null,
  state text not null check (state in ('queued', 'sent', 'failed')),
  reason text,
  -- 0: the installation does not sell SMS, or the message was given back
  fee_fen integer not null check (fee_fen >= 0),
  at timestamptz not null,
  settled_at timestamptz,
  primary key (account_id, id)
);
create index sms_message_listed on sms_message (account_id, at desc);
create index sms_message_queued on sms_message (at) where state = 'queued';
select platform.tenant_table('sms_message', 'gwid');

create table sms_account (
  account_id uuid not null references account on delete cascade,
  -- messages left; null: no warning
  low_balance integer check (low_balance > 0),
  warned_at timestamptz,
  primary key (account_id)
);
select platform.tenant_table('sms_account');
`;
