export const name = '0265-portal-sources';

export const up = `
-- whose limit a request spends: of a verified device, or of an address
alter table portal_sponsor_request add column source text not null default '';
-- when the host was told; null: the message waits
alter table portal_sponsor_request add column mailed_at timestamptz;
update portal_sponsor_request set mailed_at = at;
-- whose limit was reached is in the reason now
update portal_visit set failure = failure || '_address' where failure = 'too_many';
update portal_visit set failure = 'sms_address' where failure = 'sms_budget';
update portal_visit set failure = 'sponsor_address' where failure = 'sponsor_wait';
`;
