import { typedPassword } from '@yunxun/contract/typed-text';
import { typedCode } from '../../../platform/crypto/codes.ts';
import { verifyPassword } from '../../../platform/crypto/password.ts';
import type { Guess } from '../guest-limits.ts';
import { findMemberByName } from '../member-store.ts';
import { wholeName } from '../real-name.ts';
import { Refused } from '../refused.ts';
import { portal } from '../tables.ts';
import type { Method } from './method.ts';
import { type Guessing, guessAt, lockIdentity, plain } from './proof.ts';

async function accountGuess(guessing: Guessing, name: string): Promise<Guess> {
  return guessAtMember(guessing, name, await findMemberByName(guessing.tx, guessing.site, name));
}

export function guessAtMember(guessing: Guessing, name: string, member: { id: string } | undefined): Promise<Guess> {
  const { secrets, site } = guessing;
  const identity = secrets.hash(site.accountId, 'member', member?.id ?? '');
  const subject = { kind: 'account' as const, name: member?.id ?? name.slice(0, 64).trim().toLowerCase() };
  return guessAt(guessing, 'account', subject, identity);
}

export const account: Method<'account'> = {
  async prove({ secrets, keys }, tx, { site, form, now, provenHash }, method) {
    const found = await findMemberByName(tx, site, form.name ?? '');
    if (!found || found.password_hash !== provenHash) throw new Refused('account_wrong');
    if (!found.enabled || (found.until && found.until <= now)) throw new Refused('account_off');
    const identityHash = secrets.hash(site.accountId, 'member', found.id);
    await lockIdentity(tx, identityHash);
    await portal(tx)
      .updateTable('portal_member')
      .set({ last_at: now })
      .where('account_id', '=', site.accountId)
      .where('id', '=', found.id)
      .execute();
    const { name: identity, devices, until } = found;
    const whole = await wholeName(tx, keys, found);
    return { ...plain(method), identity, identityHash, whole, devices, until };
  },

  /** argon2 waits. Returns null if the password is wrong. */
  async proveFirst(inTenant, site, form) {
    const found = await inTenant((tx) => findMemberByName(tx, site, form.name ?? ''));
    const stored = found?.password_hash ?? null;
    return (await verifyPassword(stored, typedPassword(form.password ?? ''))) ? stored : null;
  },

  wrong: ['account_wrong'],
  typed: ({ name = '' }) => typedCode(name),
  guess: (guessing, { name = '' }) => accountGuess(guessing, name),
};
