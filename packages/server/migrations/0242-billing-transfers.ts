export const name = '0242-billing-transfers';

/** Decisions of the installation's administrator about orders that are paid by bank transfer. */
export const up = `
alter table billing_order drop constraint billing_order_state_check;
alter table billing_order add constraint billing_order_state_check
  check (state in ('incomplete', 'completed', 'expired', 'refunded', 'refused'));
alter table billing_order
  add column decided_at timestamptz,
  add column decided_by text,
  -- reference of the bank
  add column receipt text,
  add column reason text;
create index billing_order_transfer on billing_order (created_at desc) where method = 'manual' and payer = 'account';
`;
