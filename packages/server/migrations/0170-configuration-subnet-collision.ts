export const name = '0170-configuration-subnet-collision';

/** LANs of running documents that overlap the reported subnet of a line. */
export const up = `
create table subnet_collision (
  account_id uuid not null,
  serial text not null,
  -- socket of the line (WAN1), or the reported interface
  line text not null,
  -- name of the LAN in the document
  lan text not null,
  since timestamptz not null,
  primary key (account_id, serial, line, lan),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
select platform.tenant_table('subnet_collision');
select platform.narrow_by_device('subnet_collision');
`;
