import { asAddress } from '@yunxun/contract/device';
import { canonicalIp } from '../../platform/ip-address.ts';

/** Best address of each family. */
export interface ClientAddresses {
  ip: string | null;
  ip6: string | null;
}

const maxAddresses = 16;

/** Global, unique local, link-local. */
function rankOf(address: string, family: number): number {
  if (family === 4) return address.startsWith('169.254.') ? 2 : 0;
  if (/^fe[89ab]/.test(address)) return 2;
  return /^f[cd]/.test(address) ? 1 : 0;
}

/** Unset, loopback, multicast, broadcast. */
const noHost = /^(0\.|127\.|2(2[4-9]|[345]\d)\.|::1?$|ff)/;

/** @param sources addresses or lists of them, the most reliable source first */
export function bestAddresses(sources: readonly unknown[]): ClientAddresses {
  const best: ClientAddresses = { ip: null, ip6: null };
  let [rank4, rank6] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const source of sources) {
    if (source === undefined || source === null) continue;
    for (const one of Array.isArray(source) ? source.slice(0, maxAddresses) : [source]) {
      const address = canonicalIp(asAddress(one) ?? '');
      if (address === null || noHost.test(address)) continue;
      const family = address.includes(':') ? 6 : 4;
      const rank = rankOf(address, family);
      if (family === 4 && rank < rank4) [best.ip, rank4] = [address, rank];
      if (family === 6 && rank < rank6) [best.ip6, rank6] = [address, rank];
    }
  }
  return best;
}
