import type { Acting } from '../../../platform/acting.ts';
import { tokenHash } from '../../../platform/crypto/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Caller, Identity, InTenant } from '../../../platform/http/call.ts';
import { findGuestSession } from '../links/store.ts';
import { askHolder, type HolderDeps } from '../relay/holder.ts';
import type { Grant } from '../relay/holding.ts';
import type { Relay } from '../relay/index.ts';
import { readMaker } from '../relay/rights.ts';
import { findSession } from '../store.ts';
import { WebSession } from './web-session.ts';

interface EnterDeps extends HolderDeps {
  database: Database;
  relay(): Relay | null;
}

interface Asked {
  acting: Acting;
  caller: Caller;
  identity: Identity;
  id: string;
}

/** @returns null until the device has connected, and for another person's session. @throws Failure notFound, also when it is over */
export async function enterWeb(
  deps: EnterDeps,
  inTenant: InTenant,
  { acting, caller, identity, id }: Asked,
): Promise<{ address: string | null }> {
  const row = await inTenant((tx) => findSession(tx, acting.accountId, id));
  if (row?.kind !== 'web' || row.ended_at) throw new Failure('notFound');
  if (row.user_id !== acting.userId || row.link_id !== null) return { address: null };
  const { accountId, homeAccountId } = identity.actor;
  const account = accountId === homeAccountId ? null : accountId;
  const grant = { tokenHash: tokenHash(caller.token!).toString('hex'), account, homeAccountId, ip: caller.ip };
  return enter(deps, id, grant);
}

/** As `enterWeb`, for the technician who opened a link, while its maker may. */
export async function enterWebAsGuest(
  deps: EnterDeps,
  { id, link }: { id: string; link: string },
): Promise<{ address: string | null }> {
  const { database } = deps;
  const row = await database.withSystem((tx) => findGuestSession(tx, id, tokenHash(link)));
  if (!row?.user_account_id || row.kind !== 'web' || row.ended_at) throw new Failure('notFound');
  const maker = await readMaker(database, { ...row, user_account_id: row.user_account_id });
  if (!maker) throw new Failure('notFound');
  return enter(deps, id, null);
}

async function enter({ relay, bus }: EnterDeps, id: string, grant: Grant | null): Promise<{ address: string | null }> {
  const own = relay()?.find(id);
  if (own instanceof WebSession) return { address: own.enter(grant) };
  const answer = await askHolder(bus, id, { what: 'enter', grant });
  return { address: answer?.address ?? null };
}
