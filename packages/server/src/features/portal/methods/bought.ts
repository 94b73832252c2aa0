import type { PortalMethod } from '@yunxun/contract';
import type { Tx } from '../../../platform/database/index.ts';
import type { Entitlement } from '../../billing/index.ts';
import { Refused } from '../refused.ts';
import type { PortalSecrets } from '../secrets.ts';
import { bytesOfEntitlement } from '../session-store.ts';
import type { SiteKey } from '../visit-store.ts';
import { type Proof, plain } from './proof.ts';

/** @throws Refused */
export async function boughtProof(
  tx: Tx,
  { secrets }: { secrets: PortalSecrets },
  { accountId }: SiteKey,
  method: PortalMethod,
  { identity, entitlement }: { identity: string; entitlement: Entitlement },
): Promise<Proof> {
  const { id, terms, ends_at: until } = entitlement;
  const left = terms.bytes - (terms.bytes > 0 ? await bytesOfEntitlement(tx, accountId, id) : 0);
  if (terms.bytes > 0 && left <= 0) throw new Refused('data_used');
  const { minutes, devices, up_kbps, down_kbps } = terms;
  const identityHash = secrets.hash(accountId, 'bought', id);
  const bought = { id, up_kbps, down_kbps, maxBytes: left };
  return { ...plain(method), identity, identityHash, minutes, devices, until, bought };
}
