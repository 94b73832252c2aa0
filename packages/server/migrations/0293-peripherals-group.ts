export const name = '0293-peripherals-group';

export const up = `
alter table peripheral add column "group" text;
`;
