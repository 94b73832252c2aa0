export const name = '0063-mailed-passwords';

export const up = `
-- a rule may name addresses that get its new passwords
update password_rule set rule = rule || '{"emails": []}';

-- lets a request queue a message of its own account in its own transaction; it reads no messages
create function platform.queue_message(
  id uuid, account_id uuid, channel text, recipient text, template text, params jsonb, subject text, body text,
  expires_at timestamptz, at timestamptz
) returns void
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  if session_user = 'yunxun_app' and queue_message.account_id is distinct from platform.account() then
    raise exception 'not this account''s message' using errcode = 'insufficient_privilege';
  end if;
  insert into public.outbox_message
    (id, account_id, channel, recipient, template, params, subject, body, expires_at, attempts, created_at, next_at)
  values (queue_message.id, queue_message.account_id, queue_message.channel, queue_message.recipient,
    queue_message.template, queue_message.params, queue_message.subject, queue_message.body,
    queue_message.expires_at, 0, queue_message.at, queue_message.at);
end $$;
revoke execute on function
  platform.queue_message(uuid, uuid, text, text, text, jsonb, text, text, timestamptz, timestamptz) from public;
grant execute on function
  platform.queue_message(uuid, uuid, text, text, text, jsonb, text, text, timestamptz, timestamptz)
  to yunxun_app, yunxun_system;
`;
