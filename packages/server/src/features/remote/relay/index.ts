import type { TLSSocket } from 'node:tls';
import { asRecord, type RemoteSize, remoteLimits } from '@yunxun/contract/device';
import type { Bus } from '../../../platform/bus/index.ts';
import type { HttpOptions } from '../../../platform/http/http-options.ts';
import { changedSubject } from '../../../platform/live/changed.ts';
import type { SessionEnds } from '../ends.ts';
import { touchSessions } from '../store.ts';
import { holderSubject, onEveryFact, publishFact } from '../subjects.ts';
import type { RemoteSession } from '../tables.ts';
import { type Channel, socketChannel } from './channel.ts';
import { ClaimRefused } from './claim.ts';
import type { DeviceLink } from './device-link.ts';
import { type Grant, HeldSession } from './held-session.ts';
import { openRelayPort, type RelayPortOptions } from './port.ts';
import { isStillAllowed } from './rights.ts';
import { startOf } from './starts.ts';
import { Tickets } from './tickets.ts';
import { createWrites } from './writes.ts';

export interface RelayDeps extends Omit<RelayPortOptions, 'hold' | 'joinConsole'> {
  bus: Bus;
  ends: SessionEnds;
  authenticate: HttpOptions['authenticate'];
  address: string;
  sweep?: number;
}

export interface JoinRequest {
  grant: Grant;
  size: RemoteSize;
}

export interface JoinAnswer {
  host: string;
  port: number;
  ticket: string;
}

export interface Relay {
  readonly port: number;
  find(id: string): HeldSession | undefined;
  stop(): Promise<void>;
}

const sweepMs = 10_000;

export async function startRelay(deps: RelayDeps): Promise<Relay> {
  const { database, bus, clock, log } = deps;
  const held = new Map<string, HeldSession>();
  const tickets = new Tickets<JoinRequest & { id: string }>();
  const releases = new Map<string, (() => void)[]>();
  const writes = createWrites(deps);
  let stopping = false;

  const port = await openRelayPort({ ...deps, hold, joinConsole });
  const unsubscribe = onEveryFact(bus, (id, fact) => {
    if (fact.type === 'ended') held.get(id)?.end(fact.reason, fact.detail);
  });
  let sweeping: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep).catch((error: unknown) => log.error({ err: error }, 'remote sessions not checked'));
  }, deps.sweep ?? sweepMs);
  timer.unref();

  function hold(row: RemoteSession, link: DeviceLink): void {
    if (stopping || held.size >= remoteLimits.perProcess) {
      link.close();
      writes.end({ accountId: row.account_id, id: row.id }, 'busy', null);
      throw new ClaimRefused('too many sessions');
    }
    const { account_id: accountId, id, gwid, user_id: userId, kind } = row;
    const session = new HeldSession(
      {
        accountId,
        id,
        gwid,
        userId,
        kind,
        link,
        start: startOf(deps, row),
        ended: (over, reason, detail) => {
          held.delete(id);
          for (const release of releases.get(id) ?? []) release();
          releases.delete(id);
          writes.end({ accountId, id }, reason, detail, over);
        },
      },
      clock.now(),
    );
    held.set(id, session);
    releases.set(id, [
      bus.respond(holderSubject(id), async (asked) => {
        const { grant, size } = asked as JoinRequest;
        return { host: deps.address, port: port.port, ticket: tickets.issue({ id, grant, size }) } satisfies JoinAnswer;
      }),
      ...[...new Set([userId, accountId])].map((changed) =>
        bus.subscribe(changedSubject(changed), () => writes.add(check(session))),
      ),
    ]);
    link.onClose(() => session.end('closed'));
    publishFact(bus, id, { type: 'held' });
  }

  function joinConsole(socket: TLSSocket, line: string): boolean {
    const ticket = tickets.take(line);
    const session = ticket && held.get(ticket.id);
    if (!session) return false;
    session.attach(socketChannel(socket) satisfies Channel, ticket.grant, ticket.size);
    return true;
  }

  async function check(session: HeldSession): Promise<void> {
    if (!(await isStillAllowed(deps.authenticate, session))) session.end('no_rights');
  }

  async function sweep(): Promise<void> {
    const all = Array.from(held.values());
    if (all.length === 0) return;
    const rows = all.map(({ held: { accountId, id }, bytesUp, bytesDown }) => ({ accountId, id, bytesUp, bytesDown }));
    const open = await database.withSystem((tx) => touchSessions(tx, rows, clock.now()));
    for (const session of all) {
      if (!open.has(session.held.id)) session.end('closed');
      else await check(session);
    }
  }

  return {
    port: port.port,
    find: (id) => held.get(id),
    async stop() {
      stopping = true;
      clearInterval(timer);
      unsubscribe();
      for (const session of Array.from(held.values())) session.end('process');
      await port.close();
      await sweeping;
      await writes.done();
    },
  };
}

export function readJoin(answer: unknown): JoinAnswer {
  return asRecord<JoinAnswer>(answer) as JoinAnswer;
}
