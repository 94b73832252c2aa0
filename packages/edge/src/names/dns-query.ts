import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIPv4 } from 'node:net';

export interface DnsServer {
  address: string;
  from: string | null;
}

export type DnsAnswer = { addresses: readonly LookupAddress[] } | { code: string };

/** Milliseconds of the first try. */
interface Tries {
  timeout: number;
  tries: number;
}

export type AskServer = (server: DnsServer, name: string | null, limits?: Tries) => Promise<DnsAnswer>;

/** Milliseconds; c-ares doubles it. */
const firstTry = 1_000;
const tries = 2;

const answers: ReadonlySet<string> = new Set([
  'ENODATA',
  'ENOTFOUND',
  'ESERVFAIL',
  'EREFUSED',
  'ENOTIMP',
  'EFORMERR',
  'EBADRESP',
]);

export async function askServer(
  { address, from }: DnsServer,
  name: string | null,
  limits: Tries = { timeout: firstTry, tries },
): Promise<DnsAnswer> {
  const resolver = new Resolver(limits);
  try {
    resolver.setServers([address]);
    if (from !== null && isIPv4(from)) resolver.setLocalAddress(from);
    if (name === null) {
      await resolver.resolveNs('.');
      return { addresses: [] };
    }
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value.map((one) => ({ address: one, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((one) => ({ address: one, family: 6 })) : []),
    ];
    if (addresses.length > 0 || four.status === 'fulfilled') return { addresses };
    return { code: codeOf(four.reason) };
  } catch (error) {
    return { code: codeOf(error) };
  }
}

/** Returns 2 for addresses or "no such name", 1 for other answers, 0 for none. */
export function rankOf(answer: DnsAnswer): 0 | 1 | 2 {
  if ('addresses' in answer) return 2;
  if (answer.code === 'ENOTFOUND' || answer.code === 'ENODATA') return 2;
  return answers.has(answer.code) ? 1 : 0;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
}
