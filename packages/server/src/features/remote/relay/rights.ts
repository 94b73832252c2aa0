import { type Actor, allows, networksOf } from '@yunxun/contract';
import type { Database } from '../../../platform/database/index.ts';
import type { HttpOptions } from '../../../platform/http/http-options.ts';
import { members } from '../../identity/index.ts';
import type { Grant, Held, Holding, Maker } from './holding.ts';

const reaches = (actor: Actor, gwid: string) =>
  allows(actor, 'remote.use') && (networksOf(actor)?.includes(gwid) ?? true);

/** Returns null once the maker of a link may not open its session. */
export async function readMaker(database: Database, maker: Maker): Promise<Actor | null> {
  const person = { accountId: maker.user_account_id, personId: maker.user_id };
  const actor = await members.actorIn(database, maker.account_id, person);
  return actor && reaches(actor, maker.gwid) ? actor : null;
}

export interface RightsDeps {
  database: Database;
  authenticate: HttpOptions['authenticate'];
}

/** Returns null once the sign-in of a page may not use the session. */
export async function actorOf(
  { authenticate }: Pick<RightsDeps, 'authenticate'>,
  { account, ip, tokenHash }: Grant,
  of: Pick<Held, 'accountId' | 'userId' | 'gwid'>,
): Promise<Actor | null> {
  const claim = { account, viewAs: null, ip, active: false };
  const identity = await authenticate(Buffer.from(tokenHash, 'hex'), claim).catch(() => null);
  if (!identity) return null;
  const { actor } = identity;
  const isPerson = actor.userId === of.userId && actor.accountId === of.accountId;
  return isPerson && reaches(actor, of.gwid) ? actor : null;
}

export async function isStillAllowed(deps: RightsDeps, { grant, held }: Holding): Promise<boolean> {
  if (held.maker) return (await readMaker(deps.database, held.maker)) !== null;
  // no page has joined yet
  return !grant || (await actorOf(deps, grant, held)) !== null;
}
