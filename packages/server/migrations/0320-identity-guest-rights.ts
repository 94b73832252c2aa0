export const name = '0320-identity-guest-rights';

/** Looking after guests has a right of its own; those who could manage them still can. */
export const up = `
update account_role set permissions = permissions || array['guest.reception'] where 'user.write' = any (permissions);
update hosting_grant set permissions = permissions || array['guest.reception'] where 'user.write' = any (permissions);
update api_token set areas = areas || array['guest'] where 'user' = any (areas);
`;
