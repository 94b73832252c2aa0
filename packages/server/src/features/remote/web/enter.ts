import type { Acting } from '../../../platform/acting.ts';
import { tokenHash } from '../../../platform/crypto/index.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Caller, Identity, InTenant } from '../../../platform/http/call.ts';
import { askHolder, type HolderDeps } from '../relay/holder.ts';
import type { Relay } from '../relay/index.ts';
import { findSession } from '../store.ts';
import { WebSession } from './web-session.ts';

interface EnterDeps extends HolderDeps {
  relay(): Relay | null;
}

interface Asked {
  acting: Acting;
  caller: Caller;
  identity: Identity;
  id: string;
}

/** @returns null until the device has connected. @throws Failure notFound, also when it is over */
export async function enterWeb(
  { relay, bus }: EnterDeps,
  inTenant: InTenant,
  { acting, caller, identity, id }: Asked,
): Promise<{ address: string | null }> {
  const row = await inTenant((tx) => findSession(tx, acting.accountId, id));
  if (!row || row.user_id !== acting.userId || row.kind !== 'web' || row.ended_at || !caller.token)
    throw new Failure('notFound');
  const { accountId, homeAccountId } = identity.actor;
  const account = accountId === homeAccountId ? null : accountId;
  const grant = { tokenHash: tokenHash(caller.token).toString('hex'), account, homeAccountId, ip: caller.ip };
  const own = relay()?.find(id);
  if (own instanceof WebSession) return { address: own.enter(grant) };
  const answer = await askHolder(bus, id, { what: 'enter', grant });
  return { address: answer?.address ?? null };
}
