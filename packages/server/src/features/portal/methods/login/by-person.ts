import { Refused } from '../../refused.ts';
import type { PortalSecrets } from '../../secrets.ts';
import type { AnyMethod } from '../method.ts';
import { lockIdentity, plain } from '../proof.ts';
import { type Person, shownName } from './person.ts';

/** Hashes what a provider says of a guest, for a later search. */
export function loginNames(
  secrets: PortalSecrets,
  accountId: string,
  { email, phone, subject }: Pick<Person, 'email' | 'phone' | 'subject'>,
): Buffer[] {
  const address = email === null ? [] : [secrets.hash(accountId, 'login_email', email.toLowerCase())];
  const number = phone === null ? [] : [secrets.hash(accountId, 'phone', phone)];
  return [...address, ...number, secrets.hash(accountId, 'login_subject', subject)];
}

export const byPerson: Pick<AnyMethod, 'prove' | 'act' | 'hashesOf'> = {
  async prove({ secrets }, tx, { site, person }, method) {
    if (!person) throw new Refused('state_old');
    const identityHash = secrets.hash(site.accountId, 'login', `${method.kind} ${person.issuer}\n${person.subject}`);
    await lockIdentity(tx, identityHash);
    const identity = shownName(person);
    return { ...plain(method), identity, identityHash, whole: `${identity} (${person.email ?? person.subject})` };
  },
  act: () => 'logins',
  hashesOf: (secrets, accountId, text) =>
    loginNames(secrets, accountId, { email: text.trim(), phone: null, subject: text.trim() }),
};

/**
 * The first is the documented address of the page. The others are hosts from which these pages load: the documentation
 * does not name them, and they have not been tested.
 */
export const opensHosts =
  (...hosts: readonly string[]) =>
  () =>
    hosts.map((host) => `https://${host}`);
