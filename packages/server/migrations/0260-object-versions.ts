export const name = '0260-object-versions';

export const up = `
alter table alarm_subscription add column version integer not null default 1;
alter table mail_report add column version integer not null default 1;
alter table saved_view add column version integer not null default 1;
alter table invoice_title add column version integer not null default 1;
`;
