export const name = '0149-sdwan-payments';

/** SD-WAN orders are paid through the orders of billing; expiry warnings are sent once each. */
export const up = `
alter table sdwan_order
  -- order of billing that paid it
  add column billing_order_no text,
  -- newest warning: days before the end, 0 at the end
  add column warned_days smallint check (warned_days in (0, 1, 7, 30));
`;
