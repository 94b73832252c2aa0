export const name = '0074-refused-name';

export const up = `
-- the name that a refused device dialled: in TLS (SNI), and in the Host of its upgrade request
alter table link_refusal add column sni text, add column host text;
`;
