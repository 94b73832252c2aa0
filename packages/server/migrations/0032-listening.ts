export const name = '0032-listening';

/** Console uptime: distinguishes console downtime from device outages. */
export const up = `
-- one row a process that had the device port open: from then on, and when it last said that it still has
create table platform.listening (
  node text primary key,
  since timestamptz not null,
  until timestamptz not null
);
grant select, insert, update, delete on platform.listening to yunxun_system;
grant select on platform.listening to yunxun_app;
`;
