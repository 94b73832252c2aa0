import { Counter } from 'prom-client';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { AccountingDeps } from './accounting.ts';
import { createAccounting } from './accounting.ts';
import { type AuthenticationDeps, authenticate } from './authentication.ts';
import { textOf } from './dictionary.ts';
import { createDuplicates } from './duplicates.ts';
import { codes, decodePacket, MalformedPacket } from './packet.ts';
import type { RequestSource } from './request-source.ts';

export type RadiusPort = 'auth' | 'acct';

/** Null: no answer. Never rejects. */
export type Responder = (port: RadiusPort, data: Buffer, source: RequestSource) => Promise<Buffer | null>;

/** More are dropped and repeated. */
const maxInWork = 4096;

const expected = { auth: codes.accessRequest, acct: codes.accountingRequest } as const;

export function createResponder(deps: AuthenticationDeps & AccountingDeps & { metrics: Metrics; log: Log }): Responder {
  const { index, log, metrics } = deps;
  const account = createAccounting(deps);
  const duplicates = createDuplicates();
  const packets = new Counter({
    name: 'yunxun_radius_packets_total',
    help: 'RADIUS requests by what became of them',
    labelNames: ['port', 'outcome'] as const,
    registers: [metrics],
  });
  let inWork = 0;

  async function answer(port: RadiusPort, data: Buffer, source: RequestSource): Promise<Buffer | null> {
    const request = decodePacket(data);
    if (request.code !== expected[port]) return null;
    const identifier = textOf(request, 'NAS-Identifier');
    const candidates = await index.from(source, identifier);
    if (candidates.isEmpty) return null;
    const from = source.kind === 'udp' ? `${source.address} ${source.port}` : `${source.accountId} ${source.serial}`;
    return duplicates.once(from, request, () =>
      port === 'auth' ? authenticate(deps, request, source, candidates) : account(request, source, candidates),
    );
  }

  return async (port, data, source) => {
    const count = (outcome: string) => packets.inc({ port, outcome });
    if (inWork >= maxInWork) {
      count('shed');
      return null;
    }
    inWork += 1;
    try {
      const bytes = await answer(port, data, source);
      count(bytes ? 'answered' : 'silent');
      return bytes;
    } catch (error) {
      // a RangeError: Proxy-States leave no room
      const isTheirs = error instanceof MalformedPacket || error instanceof RangeError;
      count(isTheirs ? 'malformed' : 'failed');
      if (!isTheirs) log.error({ err: error }, 'RADIUS request failed');
      return null;
    } finally {
      inWork -= 1;
    }
  };
}
