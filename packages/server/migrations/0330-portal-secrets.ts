export const name = '0330-portal-secrets';

export const up = `
alter table portal_site
  -- counts until the gateway uses the new one
  add column old_secret bytea,
  add column old_secret_since timestamptz,
  -- of the portal's host, and without the secret, as the settings were shown last
  add column shown_addresses text[] not null default '{}',
  add column shown_hash bytea,
  add constraint portal_site_old_secret_check check ((old_secret is null) = (old_secret_since is null));
`;
