export const name = '0050-backup';

export const up = `
-- what a backup holds, sealed; equal contents of a network are kept once. fingerprint is that of the content, keys
-- included, and never leaves the database; checksum is that of the sealed bytes
create table backup_content (
  account_id uuid not null references account on delete cascade,
  gwid uuid not null,
  fingerprint text not null,
  sealed bytea not null,
  bytes integer not null,
  checksum text not null,
  primary key (account_id, gwid, fingerprint),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('backup_content', 'gwid');

create table backup (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  gwid uuid not null,
  fingerprint text not null,
  type text not null,
  cause text,
  model text,
  version text,
  ports text[] not null default '{}',
  note text not null default '',
  pinned boolean not null default false,
  created_by text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, gwid, fingerprint) references backup_content on delete cascade
);
create index backup_of_network on backup (account_id, gwid, created_at desc, id desc);
create index backup_newest on backup (account_id, created_at desc, id desc);
select platform.tenant_table('backup', 'gwid');

-- networks whose backups are made at other times than every night at three
create table backup_plan (
  account_id uuid not null references account on delete cascade,
  gwid uuid not null,
  cycle text not null,
  hour smallint not null,
  weekday smallint not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('backup_plan', 'gwid');

-- what was restored, and the backup of what was in force before; both may have gone since
create table backup_restore (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  gwid uuid not null,
  sections text[] not null,
  backup_id uuid not null,
  backup_at timestamptz not null,
  snapshot_id uuid,
  job_id uuid not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
create index backup_restore_newest on backup_restore (account_id, created_at desc, id desc);
select platform.tenant_table('backup_restore', 'gwid');
`;
