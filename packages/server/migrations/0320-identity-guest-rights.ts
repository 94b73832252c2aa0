export const name = '0320-identity-guest-rights';

export const up = `
update account_role set permissions = permissions || array['guest.reception'] where 'user.write' = any (permissions);
update hosting_grant set permissions = permissions || array['guest.reception'] where 'user.write' = any (permissions);
update api_token set areas = areas || array['guest'] where 'user' = any (areas);
`;
