import type { portalReception as contract, DataOf } from '@yunxun/contract';
import { typedCode } from '../../../platform/crypto/codes.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { PortalSecrets } from '../secrets.ts';
import { countDevices } from '../session-store.ts';
import type { SiteKey } from '../visit-store.ts';
import { endOfVoucher, type FoundVoucher, findVoucher } from '../voucher-store.ts';

type Answer = DataOf<typeof contract.code>;

function stateOf(found: FoundVoucher, now: Date): Answer['state'] {
  if (found.voided_at) return 'void';
  const end = endOfVoucher(found);
  const isOver = end !== null && end <= now;
  if (found.first_used_at) return isOver ? 'over' : 'running';
  return isOver ? 'expired' : 'unused';
}

export async function codeState(
  tx: Tx,
  secrets: PortalSecrets,
  site: SiteKey,
  code: string,
  now: Date,
): Promise<Answer> {
  const identity = secrets.hash(site.accountId, 'voucher', typedCode(code));
  const found = await findVoucher(tx, site, identity);
  if (!found) return { state: 'unknown', batch: null, until: null, devices: { online: 0, of: 0 } };
  const online = await countDevices(tx, site, { identity, deviceKey: Buffer.alloc(0), same: null }, now);
  return {
    state: stateOf(found, now),
    batch: found.name,
    until: endOfVoucher(found)?.toISOString() ?? null,
    devices: { online, of: found.devices },
  };
}
