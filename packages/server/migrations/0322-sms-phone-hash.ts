export const name = '0322-sms-phone-hash';

export const up = `
-- keyed hash of the whole number; null: sent before it was kept
alter table sms_message add column phone_hash bytea;
create index sms_message_phone on sms_message (account_id, phone_hash, at desc) where phone_hash is not null;
`;
