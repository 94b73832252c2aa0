export const name = '0331-sms-no-provider';

export const up = `
-- outbox: the installation had no provider, so the message went to the outbox file only
alter table sms_message
  drop constraint sms_message_state_check,
  add constraint sms_message_state_check check (state in ('queued', 'outbox', 'sent', 'failed'));
drop index sms_message_queued;
create index sms_message_open on sms_message (id) where settled_at is null;
`;
