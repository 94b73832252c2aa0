export const name = '0321-portal-reception';

export const up = `
-- the code under the account's key, to print it again; null: made before codes were kept
alter table portal_voucher add column code_sealed bytea;

-- the session that this one took over on another device: it is no sign-in of its own
alter table portal_session add column moved_from uuid;
create index portal_session_moved on portal_session (account_id, gwid, device_key)
  where moved_from is not null and state = 'waiting';

-- the device that the gateway sent
alter table portal_visit
  add column device_key bytea,
  add column mac text,
  add column ip text,
  add column verified boolean not null default false,
  add column system text;
create index portal_visit_device on portal_visit (account_id, gwid, device_key, at desc);

-- refused sign-ins of a visit
create table portal_try (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  visit_id uuid not null,
  at timestamptz not null,
  way text not null,
  -- keyed hash of the code or number that was typed
  subject_hash bytea,
  reason text not null,
  primary key (account_id, id),
  foreign key (account_id, visit_id) references portal_visit (account_id, id) on delete cascade
);
create index portal_try_visit on portal_try (account_id, visit_id);
create index portal_try_listed on portal_try (account_id, gwid, at desc);
create index portal_try_subject on portal_try (account_id, gwid, subject_hash) where subject_hash is not null;
select platform.tenant_table('portal_try', 'gwid');
`;
