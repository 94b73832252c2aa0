import { randomInt } from 'node:crypto';
import type { Seed } from '@yunxun/contract';
import { openInvitation } from '../src/features/account/invitation-store.ts';
import { createRole } from '../src/features/identity/account-roles.ts';
import { createAccount } from '../src/features/identity/accounts.ts';
import { createDelegation } from '../src/features/identity/hosting.ts';
import { addMember } from '../src/features/identity/rights.ts';
import { openSession } from '../src/features/identity/sessions.ts';
import type { PersonKey } from '../src/platform/acting.ts';
import type { As, Registered, TestServer } from './server.ts';

/** Without a password hash, which would be slow. */
export type SeededPerson = Pick<Registered, 'token' | 'email' | 'accountId' | 'userId'> & PersonKey;

export async function seedPerson(server: TestServer): Promise<SeededPerson> {
  const email = `person${randomInt(1e9)}${randomInt(1e9)}@example.com`;
  return server.db.database.withSystem(async (tx) => {
    const caller = { ip: '127.0.0.1', userAgent: 'test' };
    const person = await createAccount(tx, {
      kind: 'email',
      value: email,
      passwordHash: 'none',
      locale: 'en',
      ip: caller.ip,
    });
    const token = await openSession(tx, person, caller, false, 'password', new Date());
    return { ...person, token, email, userId: person.personId };
  });
}

/** Seeds no password: only the example of an account needs one. */
export async function seedOwner(server: TestServer): Promise<Registered> {
  const person = await seedPerson(server);
  const { rows } = await server.db.database.systemPool.query<{ code: string }>(
    'select binding_code as code from account where account_id = $1',
    [person.accountId],
  );
  return { ...person, password: '', bindingCode: rows[0]!.code };
}

export async function signInAgain<T extends PersonKey>(server: TestServer, person: T, now: Date): Promise<T & As> {
  const caller = { ip: '127.0.0.1', userAgent: 'test' };
  const { withSystem } = server.db.database;
  return { ...person, token: await withSystem((tx) => openSession(tx, person, caller, false, 'password', now)) };
}

export async function makePeople(
  server: TestServer,
  owner: Registered,
  gwid: string,
): Promise<
  Pick<
    Seed,
    'role' | 'member' | 'invitation' | 'delegation' | 'receivedDelegation' | 'otherAccount' | 'receivedInvitation'
  >
> {
  const [member, other, integrator, asking] = [
    await seedPerson(server),
    await seedPerson(server),
    await seedPerson(server),
    await seedPerson(server),
  ];
  const person = { accountId: owner.accountId, personId: owner.userId };
  const now = new Date();
  return server.db.database.withSystem(async (tx) => {
    await addMember(tx, owner.accountId, member, { role: 'operator', role_id: null, gwids: null }, now);
    await addMember(tx, other.accountId, person, { role: 'auditor', role_id: null, gwids: null }, now);
    const by = ({ userId, email }: Pick<Registered, 'userId' | 'email'>) => ({ personId: userId, login: email });
    const offer = (login: string) => ({ login, role: 'operator' as const, role_id: null, gwids: null });
    const invitation = await openInvitation(tx, owner.accountId, offer('invited@example.com'), by(owner), now);
    const received = await openInvitation(tx, asking.accountId, offer(owner.email), by(asking), now);
    const hosted = { permissions: ['network.read' as const], gwids: [gwid] };
    const delegation = await createDelegation(tx, owner.accountId, integrator.accountId, hosted, now);
    const given = await createDelegation(tx, asking.accountId, owner.accountId, { ...hosted, gwids: null }, now);
    const content = { name: 'Front office', permissions: ['network.read' as const] };
    const role = await createRole(tx, owner.accountId, content, 50, now);
    return {
      role: { id: role },
      member: { id: member.personId },
      invitation: { id: invitation.id, token: invitation.token },
      delegation: { id: delegation.id },
      receivedDelegation: { id: given.id },
      otherAccount: { id: other.accountId, login: other.email },
      receivedInvitation: { token: received.token },
    };
  });
}
