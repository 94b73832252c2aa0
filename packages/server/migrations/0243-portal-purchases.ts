export const name = '0243-portal-purchases';

/** Purchases of a guest's device, to bring it online again. */
export const up = `
create index billing_order_device on billing_order (account_id, (subject ->> 'device'), created_at desc)
  where kind = 'portal_package';
`;
