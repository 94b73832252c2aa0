import { allows, networksOf } from '@yunxun/contract';
import type { HttpOptions } from '../../../platform/http/http-options.ts';
import type { Holding } from './holding.ts';

export async function isStillAllowed(
  authenticate: HttpOptions['authenticate'],
  { grant, held }: Holding,
): Promise<boolean> {
  // no page has joined yet
  if (!grant) return true;
  const { account, ip, tokenHash } = grant;
  const claim = { account, viewAs: null, ip, active: false };
  const identity = await authenticate(Buffer.from(tokenHash, 'hex'), claim).catch(() => null);
  if (!identity) return false;
  const { actor } = identity;
  const gwids = networksOf(actor);
  return (
    actor.userId === held.userId &&
    actor.accountId === held.accountId &&
    allows(actor, 'remote.use') &&
    (!gwids || gwids.includes(held.gwid))
  );
}
