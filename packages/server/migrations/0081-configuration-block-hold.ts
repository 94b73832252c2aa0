export const name = '0081-configuration-block-hold';

export const up = `
-- the deny list that a device keeps running until its turn: a change of the list waits for the network's maintenance
-- window or its wave, and a reconnect must not push it earlier
create table block_hold (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  blocked text[] not null,
  held_at timestamptz not null,
  primary key (account_id, serial),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
select platform.tenant_table('block_hold');
select platform.narrow_by_device('block_hold');
`;
