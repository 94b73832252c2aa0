export const name = '0276-radius-signature-chosen';

export const up = `
-- set once require_ma was changed by hand: signatures no longer switch it on
alter table radius_nas add column ma_chosen boolean not null default false;
`;
