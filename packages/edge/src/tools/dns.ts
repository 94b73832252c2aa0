import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { EdgeDnsResult } from '@yunxun/contract/device';

/** Milliseconds, and tries. */
const [timeout, tries] = [2500, 2];
const [maxServers, maxAnswers] = [3, 20];

export async function lookUp({
  target,
  server,
  from,
}: {
  target: string;
  server: string | null;
  from: string | null;
}): Promise<EdgeDnsResult[]> {
  const servers = server === null ? new Resolver().getServers().slice(0, maxServers) : [server];
  return Promise.all(servers.map((one) => ask(target, one, from)));
}

async function ask(target: string, server: string, from: string | null): Promise<EdgeDnsResult> {
  const resolver = new Resolver({ timeout, tries });
  const began = performance.now();
  const result = (answers: EdgeDnsResult['answers'], error: string | null): EdgeDnsResult => ({
    server,
    error,
    answers: answers.slice(0, maxAnswers),
    ms: Math.round((performance.now() - began) * 10) / 10,
  });
  try {
    resolver.setServers([isIP(server) === 6 ? `[${server}]` : server]);
    // a local resolver is on no WAN
    if (from !== null && !server.startsWith('127.')) resolver.setLocalAddress(from);
    if (isIP(target) !== 0) {
      const names = await resolver.reverse(target);
      return result(
        names.map((value) => ({ type: 'PTR', value: value.slice(0, 255), ttl: null })),
        null,
      );
    }
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(target, { ttl: true }),
      resolver.resolve6(target, { ttl: true }),
    ]);
    const found = [
      ...(four.status === 'fulfilled'
        ? four.value.map(({ address, ttl }) => ({ type: 'A' as const, value: address, ttl }))
        : []),
      ...(six.status === 'fulfilled'
        ? six.value.map(({ address, ttl }) => ({ type: 'AAAA' as const, value: address, ttl }))
        : []),
    ];
    return result(found, found.length > 0 || four.status === 'fulfilled' ? null : codeOf(four.reason));
  } catch (error) {
    return result([], codeOf(error));
  }
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error instanceof Error ? error.message.slice(0, 200) : 'EUNKNOWN';
}
