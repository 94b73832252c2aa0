export const name = '0185-reports';

/** Reports by mail, their deliveries, and messages with HTML and an attachment. */
export const up = `
create table mail_report (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  enabled boolean not null,
  period text not null check (period in ('day', 'week')),
  weekday integer not null check (weekday between 1 and 7),
  hour integer not null check (hour between 0 and 23),
  members uuid[] not null,
  -- the local day of sending whose deliveries exist already, YYYY-MM-DD
  sent_day text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index mail_report_name on mail_report (account_id, lower(name));
select platform.tenant_table('mail_report');

-- one row for each person and period
create table mail_report_delivery (
  account_id uuid not null,
  id uuid not null,
  report_id uuid not null,
  person_id uuid not null,
  period text not null check (period in ('day', 'week')),
  -- the local day of sending, YYYY-MM-DD
  sent_day text not null,
  test boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  -- attempts to make the report; the outbox counts those to send it
  attempts integer not null default 0,
  error text,
  outbox_id uuid,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, report_id) references mail_report (account_id, id) on delete cascade
);
create unique index mail_report_delivery_once on mail_report_delivery (account_id, report_id, person_id, sent_day)
  where not test;
create index mail_report_delivery_report on mail_report_delivery (account_id, report_id, created_at);
create index mail_report_delivery_waiting on mail_report_delivery (created_at) where state = 'waiting';
create index mail_report_delivery_old on mail_report_delivery (created_at);
select platform.tenant_table('mail_report_delivery');

alter table outbox_message
  add column html text,
  add column attachment bytea,
  add column attachment_name text;

drop function platform.queue_message(uuid, uuid, text, text, text, jsonb, text, text, timestamptz, timestamptz);
create function platform.queue_message(
  id uuid, account_id uuid, channel text, recipient text, template text, params jsonb, subject text, body text,
  html text, attachment bytea, attachment_name text, expires_at timestamptz, at timestamptz
) returns void
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  if session_user = 'yunxun_app' and queue_message.account_id is distinct from platform.account() then
    raise exception 'not this account''s message' using errcode = 'insufficient_privilege';
  end if;
  insert into public.outbox_message
    (id, account_id, channel, recipient, template, params, subject, body, html, attachment, attachment_name,
      expires_at, attempts, created_at, next_at)
  values (queue_message.id, queue_message.account_id, queue_message.channel, queue_message.recipient,
    queue_message.template, queue_message.params, queue_message.subject, queue_message.body, queue_message.html,
    queue_message.attachment, queue_message.attachment_name, queue_message.expires_at, 0, queue_message.at,
    queue_message.at);
end $$;
revoke execute on function platform.queue_message(
  uuid, uuid, text, text, text, jsonb, text, text, text, bytea, text, timestamptz, timestamptz) from public;
grant execute on function platform.queue_message(
  uuid, uuid, text, text, text, jsonb, text, text, text, bytea, text, timestamptz, timestamptz)
  to yunxun_app, yunxun_system;
`;
