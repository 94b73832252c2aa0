export const name = '0101-alarms-notices';

/** Subscriptions to alarms, what is to be told of which incident, and the messages that were sent. */
export const up = `
create table alarm_subscription (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  enabled boolean not null,
  locale text not null,
  levels text[] not null,
  -- empty: every kind
  kinds text[] not null,
  scope text not null check (scope in ('all', 'networks', 'groups')),
  scope_ids uuid[] not null,
  members uuid[] not null,
  member_channels text[] not null,
  schedule jsonb not null,
  quiet text,
  digest_minutes integer not null,
  repeat_hours integer not null,
  recovery boolean not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index alarm_subscription_name on alarm_subscription (account_id, lower(name));
select platform.tenant_table('alarm_subscription');

create table alarm_endpoint (
  account_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  position integer not null,
  type text not null,
  shown text not null,
  has_secret boolean not null,
  -- address and secret, under the account's key
  sealed bytea not null,
  primary key (account_id, id),
  foreign key (account_id, subscription_id) references alarm_subscription (account_id, id) on delete cascade
);
create index alarm_endpoint_subscription on alarm_endpoint (account_id, subscription_id);
select platform.tenant_table('alarm_endpoint');

-- a decision, in the transaction of the incident's change
create table alarm_notice (
  account_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  alarm_id uuid not null,
  event text not null,
  -- when it happened
  at timestamptz not null,
  due_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped')),
  -- why it was dropped
  reason text,
  batch_id uuid,
  decided_at timestamptz,
  primary key (account_id, id),
  -- one decision for each event of an incident
  unique (account_id, subscription_id, alarm_id, event, at),
  foreign key (account_id, subscription_id) references alarm_subscription (account_id, id) on delete cascade,
  foreign key (account_id, alarm_id) references alarm (account_id, id) on delete cascade
);
create index alarm_notice_waiting on alarm_notice (account_id, subscription_id, due_at) where state = 'waiting';
create index alarm_notice_alarm on alarm_notice (account_id, alarm_id);
create index alarm_notice_batch on alarm_notice (account_id, batch_id) where batch_id is not null;
select platform.tenant_table('alarm_notice');

-- one message to one recipient
create table alarm_delivery (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  batch_id uuid not null,
  subscription_id uuid not null,
  channel text not null,
  recipient text not null,
  endpoint_id uuid,
  -- message of the outbox, which delivers it
  outbox_id uuid,
  content jsonb not null,
  state text not null check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  next_at timestamptz not null,
  error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (account_id, id)
);
create index alarm_delivery_listed on alarm_delivery (account_id, created_at desc, id desc);
create index alarm_delivery_batch on alarm_delivery (account_id, batch_id);
create index alarm_delivery_subscription on alarm_delivery (account_id, subscription_id, created_at desc);
create index alarm_delivery_waiting on alarm_delivery (next_at) where state = 'waiting';
create index alarm_delivery_endpoint on alarm_delivery (account_id, endpoint_id, created_at, id)
  where state = 'waiting' and endpoint_id is not null;
create index alarm_delivery_old on alarm_delivery (created_at);
select platform.tenant_table('alarm_delivery');

create table alarm_attempt (
  account_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  at timestamptz not null,
  -- null: delivered
  error text,
  primary key (account_id, id),
  foreign key (account_id, delivery_id) references alarm_delivery (account_id, id) on delete cascade
);
create index alarm_attempt_delivery on alarm_attempt (account_id, delivery_id, at desc);
select platform.tenant_table('alarm_attempt');
`;
