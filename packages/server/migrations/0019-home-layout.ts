export const name = '0019-home-layout';

export const up = `
-- what a person made of the overview: {order, hidden}, by the names of its cards
alter table person add column home_layout jsonb;
`;
