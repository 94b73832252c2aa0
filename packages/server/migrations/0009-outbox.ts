export const name = '0009-outbox';

export const up = `
-- a message is leased while it is being delivered, so that no transaction waits for a provider
alter table outbox_message
  add column subject text,
  add column next_at timestamptz not null default now(),
  add column expires_at timestamptz,
  add column failed_at timestamptz,
  add column error text;
update outbox_message set failed_at = created_at, params = '{}', body = '' where sent_at is null and attempts >= 10;
drop index outbox_message_waiting;
create index outbox_message_waiting on outbox_message (channel, next_at) where sent_at is null and failed_at is null;
create index outbox_message_failed on outbox_message (failed_at) where failed_at is not null;
`;
