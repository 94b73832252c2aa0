import { randomBytes } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { allows, networksOf, type RemoteEndReason } from '@yunxun/contract';
import { asRecord, type RemoteSize, remoteForms, remoteLimits } from '@yunxun/contract/device';
import { bySystem } from '../../../platform/acting.ts';
import type { Bus } from '../../../platform/bus/index.ts';
import type { HttpOptions } from '../../../platform/http/http-options.ts';
import { changedSubject } from '../../../platform/live/changed.ts';
import type { SessionEnds } from '../ends.ts';
import { keepOfferedKey, pinHostKey } from '../host-keys.ts';
import { touchSessions } from '../store.ts';
import { holderSubject, onEveryFact, publishFact } from '../subjects.ts';
import type { RemoteSession } from '../tables.ts';
import { type Channel, socketChannel } from './channel.ts';
import { ClaimRefused } from './claim.ts';
import type { DeviceLink } from './device-link.ts';
import { type Grant, HeldSession, type Start } from './held-session.ts';
import { openRelayPort, type RelayPortOptions } from './port.ts';
import { sshTerminal } from './ssh.ts';
import { telnetTerminal } from './telnet.ts';

export interface RelayDeps extends Omit<RelayPortOptions, 'hold' | 'joinConsole'> {
  bus: Bus;
  ends: SessionEnds;
  authenticate: HttpOptions['authenticate'];
  /** Where other processes reach this one. */
  address: string;
  /** Milliseconds between checks of rights. */
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

/** Holds the connections of devices. */
export async function startRelay(deps: RelayDeps): Promise<Relay> {
  const { database, bus, clock, log, ends } = deps;
  const held = new Map<string, HeldSession>();
  const tickets = new Map<string, JoinRequest & { id: string }>();
  const releases = new Map<string, (() => void)[]>();
  const writing = new Set<Promise<unknown>>();
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
      write(finish(row.account_id, row.id, 'busy', null));
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
        start: startOf(row),
        ended: (over, reason, detail) => {
          held.delete(id);
          for (const release of releases.get(id) ?? []) release();
          releases.delete(id);
          write(finish(accountId, id, reason, detail, over));
        },
      },
      clock.now(),
    );
    held.set(id, session);
    releases.set(id, [
      bus.respond(holderSubject(id), async (asked) => ticketFor(id, asked as JoinRequest)),
      ...[...new Set([userId, accountId])].map((changed) =>
        bus.subscribe(changedSubject(changed), () => write(check(session))),
      ),
    ]);
    publishFact(bus, id, { type: 'held' });
  }

  function ticketFor(id: string, { grant, size }: JoinRequest): JoinAnswer {
    const ticket = randomBytes(16).toString('hex');
    tickets.set(ticket, { id, grant, size });
    setTimeout(() => tickets.delete(ticket), remoteLimits.lineWait).unref();
    return { host: deps.address, port: port.port, ticket };
  }

  function joinConsole(socket: TLSSocket, line: string): boolean {
    const ticket = remoteForms.token.test(line) ? tickets.get(line) : undefined;
    tickets.delete(line);
    const session = ticket && held.get(ticket.id);
    if (!session) return false;
    session.attach(socketChannel(socket) satisfies Channel, ticket.grant, ticket.size);
    return true;
  }

  const startOf =
    (row: RemoteSession): Start =>
    async (link, size, dialogue) => {
      const { kind, host, port: of } = row;
      if (kind === 'shell') return link.openShell(size);
      if (host === null || of === null) throw new Error('no address');
      if (kind === 'telnet') return telnetTerminal(await link.connect(host, of), size);
      const otherKey = (offered: string) =>
        database.withSystem(async (tx) => {
          const kept = await pinHostKey(tx, row, offered, clock.now());
          if (kept === offered) return null;
          await keepOfferedKey(tx, row, offered);
          return kept;
        });
      return sshTerminal(link, size, dialogue, { host, port: of, otherKey });
    };

  function write(work: Promise<unknown>): void {
    const done = work
      .catch((error: unknown) => log.error({ err: error }, 'remote session not written'))
      .finally(() => writing.delete(done));
    writing.add(done);
  }

  async function finish(
    accountId: string,
    id: string,
    reason: RemoteEndReason,
    detail: string | null,
    counted?: Pick<HeldSession, 'bytesUp' | 'bytesDown'>,
  ): Promise<void> {
    const session = { accountId, ids: [id] };
    const { bytesUp, bytesDown } = counted ?? {};
    await database.withSystem(async (tx) => {
      const more = { detail, ...(counted ? { bytesUp: bytesUp!, bytesDown: bytesDown! } : {}) };
      const ended = await ends.end(tx, bySystem(accountId), session, reason, more);
      // another process wrote the end, without the last bytes
      if (ended.length === 0 && counted) await ends.count(tx, { accountId, id }, counted);
    });
  }

  /** Ends a session whose person signed out or may no longer use it. */
  async function check(session: HeldSession): Promise<void> {
    const { grant, held: of } = session;
    if (!grant) return;
    const claimed = { account: grant.account, viewAs: null, ip: grant.ip, active: false };
    const hash = Buffer.from(grant.tokenHash, 'hex');
    const identity = await deps.authenticate(hash, claimed).catch(() => null);
    const gwids = identity && networksOf(identity.actor);
    const isAllowed =
      identity !== null &&
      identity.actor.userId === of.userId &&
      identity.actor.accountId === of.accountId &&
      allows(identity.actor, 'remote.use') &&
      (!gwids || gwids.includes(of.gwid));
    if (!isAllowed) session.end('no_rights');
  }

  async function sweep(): Promise<void> {
    const all = [...held.values()];
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
      for (const session of [...held.values()]) session.end('process');
      await port.close();
      await sweeping;
      await Promise.all(writing);
    },
  };
}

export function readJoin(answer: unknown): JoinAnswer {
  return asRecord<JoinAnswer>(answer) as JoinAnswer;
}
