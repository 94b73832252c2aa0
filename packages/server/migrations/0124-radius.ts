export const name = '0124-radius';

/** RADIUS clients (gateways and access points that ask for guests), and their sessions. */
export const up = `
create table radius_nas (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  name text not null,
  -- source address of its packets; null: any, and then only requests with a Message-Authenticator count
  source text,
  nas_identifier text,
  -- sealed under the account's key
  secret bytea not null,
  -- refuse requests without a Message-Authenticator; set by the first valid one
  require_ma boolean not null default false,
  -- UDP port for Disconnect-Request
  coa_port integer not null check (coa_port between 1 and 65535),
  created_at timestamptz not null,
  last_seen_at timestamptz,
  refused_at timestamptz,
  refusal text,
  accepted bigint not null default 0,
  rejected bigint not null default 0,
  accounted bigint not null default 0,
  primary key (account_id, id),
  check (source is not null or nas_identifier is not null),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
) with (fillfactor = 80);
create unique index radius_nas_name on radius_nas (account_id, lower(name));
create unique index radius_nas_source on radius_nas (account_id, source, nas_identifier) nulls not distinct;
create index radius_nas_network on radius_nas (account_id, gwid);
select platform.tenant_table('radius_nas', 'gwid');

-- what accounting said last about a session; tells repeated packets from new ones
create table radius_session (
  account_id uuid not null,
  nas_id uuid not null,
  -- access point that asked through the console's connection, or NAS-Identifier: session ids are its own
  origin text not null,
  session_id text not null,
  gwid uuid not null,
  status text not null check (status in ('start', 'interim', 'stop', 'reset')),
  username text not null,
  mac text,
  ip text,
  -- access point for Disconnect-Request; null: by UDP
  serial text,
  address text,
  seconds bigint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  at timestamptz not null,
  primary key (account_id, nas_id, origin, session_id),
  foreign key (account_id, nas_id) references radius_nas (account_id, id) on delete cascade
) with (fillfactor = 70);
create index radius_session_id on radius_session (account_id, gwid, session_id);
create index radius_session_at on radius_session (at);
select platform.tenant_table('radius_session', 'gwid');
`;
