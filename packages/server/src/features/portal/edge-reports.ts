import { asList, asNumber, asRecord, asText, captiveForms, isRecord } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { readLatestStates } from '../../telemetry/index.ts';
import { fleetGateways } from '../fleet/index.ts';
import { capturedIn, type EdgeGateways } from './edge-gateway.ts';
import { addBytes } from './session-bytes.ts';
import { changeSession, findTicket, onlineSessions, resumeSession } from './session-store.ts';
import { edgeSites } from './site-store.ts';
import type { SiteKey } from './visit-store.ts';

export interface EdgeReportDeps {
  database: Database;
  clock: Clock;
  gateways: Pick<EdgeGateways, 'order'>;
}

interface Guest {
  ticket: string;
  mac: string;
  up: number;
  down: number;
}

/** Milliseconds after a grant in which a report may precede it. */
const onTheWayMs = 120_000;
/** Networks whose reports are read at once. */
const atOnce = 10;

/** Applies reports to sessions; revokes grants without one. */
export function createEdgeReports({ database, clock, gateways }: EdgeReportDeps) {
  /** @returns the grants to revoke */
  async function take(tx: Tx, site: SiteKey, guests: readonly Guest[], at: Date): Promise<Guest[]> {
    const now = clock.now();
    const gone: Guest[] = [];
    for (const guest of guests) {
      const session = await findTicket(tx, site, guest.ticket);
      // taken before this side noted it
      if (session?.state === 'offered' && session.offer_until > now) continue;
      const isOwn = session?.mac === guest.mac;
      const isIn = isOwn && (session.state === 'online' || (await resumeSession(tx, session, now)));
      if (!isIn) {
        gone.push(guest);
        continue;
      }
      // reports come in order: a lower count began anew with the gateway
      const bytes = addBytes(session, { counter: 'edge', up: guest.up, down: guest.down, whenLower: 'restarted' });
      const isUsed = session.max_bytes > 0 && bytes.up_bytes + bytes.down_bytes >= session.max_bytes;
      const over = { state: 'ended', ended_at: now, end_reason: 'data_used' } as const;
      // traffic to a device proves no presence
      const active = bytes.up_bytes > session.up_bytes ? { active_at: at } : {};
      const seen = { ...bytes, last_seen: at, ...active };
      await changeSession(tx, session, ['online'], { ...seen, ...(isUsed ? over : {}) });
      if (isUsed) gone.push(guest);
    }
    const there = new Set(guests.map(({ ticket }) => ticket));
    const granted = new Date(at.getTime() - onTheWayMs);
    for (const session of await onlineSessions(tx, site, granted))
      if (!there.has(session.ticket))
        await changeSession(tx, session, ['online'], {
          state: 'ended',
          ended_at: now,
          end_reason: 'gateway_restarted',
        });
    return gone;
  }

  async function read(site: SiteKey, serial: string): Promise<void> {
    const gone = await database.withTenant({ ...site, userId: null, gwids: null }, async (tx) => {
      const report = (await readLatestStates(tx, site.accountId, [serial])).get(serial);
      const captive = capturedIn(report?.params.state);
      return report && isRecord(captive) ? take(tx, site, asList(captive.guests).flatMap(readGuest), report.at) : [];
    });
    for (const { ticket, mac } of gone) await gateways.order(site, { tool: 'captive', op: 'revoke', ticket, mac });
  }

  return {
    async run(): Promise<void> {
      const sites = await database.withSystem((tx) => edgeSites(tx));
      const found = await database.withSystem((tx) =>
        fleetGateways.probing(
          tx,
          sites.map(({ gwid }) => gwid),
        ),
      );
      const online = sites.flatMap((site) => {
        const gateway = found.get(site.gwid);
        return gateway?.online && gateway.captures && gateway.accountId === site.accountId
          ? [{ site, serial: gateway.serial }]
          : [];
      });
      for (let first = 0; first < online.length; first += atOnce)
        await Promise.all(online.slice(first, first + atOnce).map(({ site, serial }) => read(site, serial)));
    },
  };
}

/** Returns nothing for an untrusted entry of another shape. */
function readGuest(entry: unknown): Guest[] {
  const { ticket, mac, rx_bytes: up, tx_bytes: down } = asRecord<Record<string, unknown>>(entry);
  const [own, of] = [asText(ticket, 64), asText(mac, 17)];
  if (own === null || !captiveForms.ticket.test(own) || of === null || !/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(of))
    return [];
  const bytes = (value: unknown) => Math.min(Math.max(0, Math.floor(asNumber(value) ?? 0)), Number.MAX_SAFE_INTEGER);
  return [{ ticket: own, mac: of, up: bytes(up), down: bytes(down) }];
}
