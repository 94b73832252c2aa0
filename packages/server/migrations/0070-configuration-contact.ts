export const name = '0070-configuration-contact';

export const up = `
-- left_alone: devices of the network get no first document; bridge_lan: LAN ports of its access points join the uplink
alter table network add column left_alone boolean not null default false, add column bridge_lan boolean not null default false;

-- what a device ran by itself when it first reported, and what came of its first document (configuration/first-contact)
create table config_contact (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  -- it has a LAN of its own; lan: that LAN's address and prefix
  routes boolean not null,
  lan text,
  -- whether somebody is behind the LAN is known, as far as the device can tell
  settled boolean not null,
  outcome text not null check (outcome in ('open', 'sent', 'left')),
  -- why it was left alone, a key of config.contact.reason
  reason text,
  source text check (source in ('read', 'rebuilt')),
  at timestamptz not null,
  primary key (account_id, serial),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
create index config_contact_polled on config_contact (outcome) where outcome = 'left' or not settled;
select platform.tenant_table('config_contact');
select platform.narrow_by_device('config_contact');
`;
