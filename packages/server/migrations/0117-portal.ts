export const name = '0117-portal';

/** Captive portal: networks with a sign-in page, their guests, vouchers and accounts. */
export const up = `
-- the key in a network's portal address
create table portal_directory (
  key text primary key,
  account_id uuid not null references account on delete cascade,
  gwid uuid not null
);
select platform.directory_table('portal_directory');

create table portal_site (
  account_id uuid not null,
  gwid uuid not null,
  enabled boolean not null,
  template_id uuid,
  gateway text not null check (gateway in ('opennds_1', 'opennds_3', 'opennds_4', 'uam')),
  key text not null,
  -- openNDS faskey or UAM secret, sealed
  secret bytea not null,
  -- last request of the gateway or of a guest that it sent
  seen_at timestamptz,
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('portal_site', 'gwid');

create table portal_voucher_batch (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  name text not null,
  minutes integer not null,
  devices integer not null,
  valid_until timestamptz not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, id),
  foreign key (account_id, gwid) references portal_site (account_id, gwid) on delete cascade
);
create index portal_voucher_batch_listed on portal_voucher_batch (account_id, gwid, created_at desc);
select platform.tenant_table('portal_voucher_batch', 'gwid');

create table portal_voucher (
  account_id uuid not null,
  gwid uuid not null,
  -- keyed hash: the code itself is kept nowhere
  code_hash bytea not null,
  batch_id uuid not null,
  first_used_at timestamptz,
  voided_at timestamptz,
  primary key (account_id, gwid, code_hash),
  foreign key (account_id, batch_id) references portal_voucher_batch (account_id, id) on delete cascade
);
create index portal_voucher_batch_of on portal_voucher (account_id, batch_id);
select platform.tenant_table('portal_voucher', 'gwid');

create table portal_member (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  name text not null,
  password_hash text not null,
  enabled boolean not null,
  until timestamptz,
  devices integer not null,
  last_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, gwid) references portal_site (account_id, gwid) on delete cascade
);
create unique index portal_member_name on portal_member (account_id, gwid, lower(name));
select platform.tenant_table('portal_member', 'gwid');

create table portal_session (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  -- random name under which the gateway knows the session
  ticket text not null,
  state text not null check (state in ('waiting', 'offered', 'online', 'ended')),
  -- keyed hash of the MAC if the gateway vouches for it, else of the gateway's own id of the client
  device_key bytea not null,
  mac text,
  ip text,
  verified boolean not null,
  method text not null,
  -- masked; and the keyed hash of the voucher, account or number
  identity text,
  identity_hash bytea,
  template_id uuid not null,
  -- the version whose terms the guest accepted, and their language
  template_version integer not null,
  locale text not null,
  minutes integer not null,
  up_kbps integer not null,
  down_kbps integer not null,
  devices integer not null,
  times_per_day integer not null,
  -- sealed; only while it can be redeemed
  credential bytea,
  -- openNDS: hash of the gateway's name, and of its id of the client
  gateway_hash text,
  rhid text,
  made_at timestamptz not null,
  -- end of a countdown; end of the offer
  ready_at timestamptz not null,
  offer_until timestamptz not null,
  granted_at timestamptz,
  expires_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  acct_session_id text,
  up_bytes bigint not null default 0,
  down_bytes bigint not null default 0,
  last_seen timestamptz,
  visit_id uuid,
  primary key (account_id, id),
  foreign key (account_id, gwid) references portal_site (account_id, gwid) on delete cascade
) with (fillfactor = 80);
create unique index portal_session_ticket on portal_session (account_id, gwid, ticket);
create index portal_session_device on portal_session (account_id, gwid, device_key, made_at desc);
create index portal_session_identity on portal_session (account_id, gwid, identity_hash, made_at desc);
create index portal_session_open on portal_session (account_id, gwid, made_at desc) where state <> 'ended';
create index portal_session_offers on portal_session (account_id, gwid, gateway_hash, made_at) where state = 'offered';
create index portal_session_made on portal_session (made_at);
select platform.tenant_table('portal_session', 'gwid');

create table portal_sms (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  phone_hash bytea not null,
  address text not null,
  code_hash bytea not null,
  attempts integer not null default 0,
  at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, gwid) references portal_site (account_id, gwid) on delete cascade
);
create index portal_sms_phone on portal_sms (account_id, phone_hash, at desc);
create index portal_sms_network on portal_sms (account_id, gwid, at desc);
create index portal_sms_made on portal_sms (at);
select platform.tenant_table('portal_sms', 'gwid');

-- one row per guest that a gateway sent to the page
create table portal_visit (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  at timestamptz not null,
  opened_at timestamptz,
  tried_at timestamptz,
  online_at timestamptz,
  failure text,
  primary key (account_id, id),
  foreign key (account_id, gwid) references portal_site (account_id, gwid) on delete cascade
);
create index portal_visit_time on portal_visit (account_id, gwid, at desc);
create index portal_visit_made on portal_visit (at);
select platform.tenant_table('portal_visit', 'gwid');
`;
