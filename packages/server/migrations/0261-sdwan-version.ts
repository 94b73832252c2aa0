export const name = '0261-sdwan-version';

export const up = `
alter table sdwan_network add column version integer not null default 1;
`;
