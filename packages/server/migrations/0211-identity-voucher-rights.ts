export const name = '0211-identity-voucher-rights';

/** Vouchers have rights of their own; those who could handle them still can. */
export const up = `
update account_role set permissions = permissions || array['voucher.read'] where 'user.read' = any (permissions);
update account_role set permissions = permissions || array['voucher.write'] where 'user.write' = any (permissions);
update hosting_grant set permissions = permissions || array['voucher.read'] where 'user.read' = any (permissions);
update hosting_grant set permissions = permissions || array['voucher.write'] where 'user.write' = any (permissions);
update api_token set areas = areas || array['voucher'] where 'user' = any (areas);
`;
