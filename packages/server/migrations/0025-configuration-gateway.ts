export const name = '0025-configuration-gateway';

export const up = `
-- what the operator means for the gateway of a network: lines, LANs, port forwards, routes, limits, restarts
create table gateway_intent (
  account_id uuid not null references account on delete cascade,
  gwid uuid not null,
  version integer not null,
  intent jsonb not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('gateway_intent', 'gwid');
`;
