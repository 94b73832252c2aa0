export const name = '0264-radius-proof';

export const up = `
alter table radius_nas
  -- first packet that proved the secret, since secret, source or identifier were saved
  add column proven_at timestamptz,
  -- an unproven client lapses some days after
  add column saved_at timestamptz not null default now();
alter table radius_nas alter column saved_at drop default;
alter table radius_nas
  -- such a client's counters do not begin anew at 4 GiB
  add column sends_gigawords boolean not null default false,
  -- last accounting that was not understood
  add column oddity text,
  add column odd_at timestamptz;
-- an accepted guest or an acknowledged report needed the secret; the first signature set require_ma
update radius_nas set proven_at = coalesce(last_seen_at, created_at) where accepted > 0 or accounted > 0;

alter table radius_session
  -- counters of the last report; up_bytes and down_bytes are totals, which never fall
  add column raw_up bigint not null default 0,
  add column raw_down bigint not null default 0,
  -- sessions that had the id before
  add column begun integer not null default 0,
  add column event_time bigint,
  add column sent_at timestamptz;
update radius_session set raw_up = up_bytes, raw_down = down_bytes, sent_at = at;
alter table radius_session alter column sent_at set not null;

-- bytes that each counter of the gateway has reported; the totals are their sum; an empty name: a counter of before
alter table portal_session add column counters jsonb not null default '{}';
update portal_session set counters = jsonb_build_object('', jsonb_build_array(up_bytes, down_bytes))
  where up_bytes > 0 or down_bytes > 0;
`;
