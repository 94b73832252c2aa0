import type { TLSSocket } from 'node:tls';
import { remoteLimits } from '@yunxun/contract/device';
import type { Bus } from '../../../platform/bus/index.ts';
import type { HttpOptions } from '../../../platform/http/http-options.ts';
import { changedSubject } from '../../../platform/live/changed.ts';
import type { SessionEnds } from '../ends.ts';
import { writePart } from '../recordings/store.ts';
import { findSession, touchSessions } from '../store.ts';
import { holderSubject, onEveryFact, publishFact } from '../subjects.ts';
import type { RemoteSession } from '../tables.ts';
import { serveOtherProcesses } from '../web/front.ts';
import type { WebName, WebNames } from '../web/names.ts';
import { WebSession } from '../web/web-session.ts';
import { socketChannel } from './channel.ts';
import { ClaimRefused } from './claim.ts';
import type { DeviceLink } from './device-link.ts';
import { fileLogOf } from './file-log.ts';
import { fitHeap } from './heap-growth.ts';
import { HeldSession } from './held-session.ts';
import type { HolderAnswer, HolderRequest } from './holder.ts';
import { dependsOn, type Held, type Holding, type Maker } from './holding.ts';
import { openRelayPort, type RelayPortOptions } from './port.ts';
import { Recorder, type RecorderDeps } from './recorder.ts';
import { actorOf, isStillAllowed } from './rights.ts';
import { type StartDeps, startOf } from './starts.ts';
import { Tickets } from './tickets.ts';
import { createWrites } from './writes.ts';

export interface RelayDeps extends Omit<RelayPortOptions, 'hold' | 'joinConsole'>, StartDeps {
  bus: Bus;
  ends: SessionEnds;
  authenticate: HttpOptions['authenticate'];
  address: string;
  /** Null: there are no web sessions. */
  names: WebNames | null;
  sweep?: number;
}

export interface Relay {
  readonly port: number;
  find(id: string): HeldSession | WebSession | undefined;
  findWeb(name: WebName): WebSession | undefined;
  stop(): Promise<void>;
}

const sweepMs = 10_000;
/** Ended web sessions that still tell their browsers why. */
const maxOver = 100;

export async function startRelay(deps: RelayDeps): Promise<Relay> {
  const { database, bus, clock, log } = deps;
  const held = new Map<string, HeldSession | WebSession>();
  const over = new Map<string, WebSession>();
  const tickets = new Tickets<{ id: string; request: HolderRequest }>();
  const releases = new Map<string, () => void>();
  const writes = createWrites(deps);
  let stopping = false;

  const takeBrowsers = deps.names && serveOtherProcesses(deps.names, findWeb);
  const port = await openRelayPort({ ...deps, hold, joinConsole });
  const subscriptions = [
    onEveryFact(bus, (id, fact) => {
      if (fact.type === 'ended') held.get(id)?.end(fact.reason, fact.detail);
    }),
    bus.subscribe(changedSubject('*'), (_change, subject) => {
      for (const session of held.values())
        if (dependsOn(session, subject.slice(changedSubject('').length))) writes.add(check(session));
    }),
  ];
  let sweeping: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep).catch((error: unknown) => log.error({ err: error }, 'remote sessions not checked'));
  }, deps.sweep ?? sweepMs);
  timer.unref();

  function findWeb({ id, label }: WebName): WebSession | undefined {
    const session = held.get(id) ?? over.get(id);
    return session instanceof WebSession && session.label === label ? session : undefined;
  }

  function remember(session: WebSession): void {
    over.set(session.held.id, session);
    const [oldest] = over.keys();
    if (over.size > maxOver && oldest !== undefined) over.delete(oldest);
  }

  function hold(row: RemoteSession, link: DeviceLink): void {
    const isShown = row.kind !== 'web' || deps.names !== null;
    if (stopping || held.size >= remoteLimits.perProcess || !isShown) {
      link.close();
      writes.end({ accountId: row.account_id, id: row.id }, isShown ? 'busy' : 'refused', null);
      throw new ClaimRefused(isShown ? 'too many sessions' : 'this process has no YUNXUN_REMOTE_HOST');
    }
    const { account_id: accountId, id, gwid, user_id: userId, kind } = row;
    const session = sessionOf(row, {
      accountId,
      id,
      gwid,
      userId,
      kind,
      maker: makerOf(row),
      link,
      logFile: fileLogOf(deps, row),
      ended: (gone, reason, detail) => {
        held.delete(id);
        fitHeap(held.size);
        if (gone instanceof WebSession) remember(gone);
        releases.get(id)?.();
        releases.delete(id);
        writes.end({ accountId, id }, reason, detail, gone);
      },
    });
    held.set(id, session);
    fitHeap(held.size);
    try {
      releases.set(
        id,
        bus.respond(holderSubject(id), async (asked) => answer(session, asked as HolderRequest)),
      );
    } catch (error) {
      session.end('process');
      throw error;
    }
    link.onClose(() => session.end('closed'));
    publishFact(bus, id, { type: 'held' });
  }

  function sessionOf(row: RemoteSession, of: Held): HeldSession | WebSession {
    const { kind, target: name, host, port } = row;
    if (kind !== 'web' || deps.names === null)
      return new HeldSession(of, startOf(deps, row), clock.now(), recorderOf(row));
    return new WebSession(of, { name, host: host!, port: port! }, deps.names, clock.now());
  }

  function recorderOf({ account_id: accountId, id, recording }: RemoteSession): Recorder | null {
    if (recording === 'off') return null;
    const write: RecorderDeps['write'] = (part) =>
      database.withSystem((tx) => writePart(tx, deps.keys, { accountId, id }, part));
    return new Recorder({ write, add: writes.add });
  }

  function answer(session: HeldSession | WebSession, request: HolderRequest): Partial<HolderAnswer> {
    if (request.what === 'enter') return session instanceof WebSession ? { address: session.enter(request.grant) } : {};
    return { host: deps.address, port: port.port, ticket: tickets.issue({ id: session.held.id, request }) };
  }

  function joinConsole(socket: TLSSocket, line: string): boolean {
    const ticket = tickets.take(line);
    const session = ticket && held.get(ticket.id);
    if (!session) return false;
    const { request } = ticket;
    if (session instanceof WebSession) {
      if (request.what === 'web') takeBrowsers?.(socket);
      return request.what === 'web';
    }
    if (request.what === 'terminal') session.attach(socketChannel(socket), request.grant, request.size);
    if (request.what === 'files') session.filePages.join(socketChannel(socket), request.grant);
    return request.what === 'terminal' || request.what === 'files';
  }

  async function check(session: Holding): Promise<void> {
    const { grant, held: of } = session;
    if (session instanceof HeldSession)
      await session.filePages.check(async (own) => (await actorOf(deps, own, of)) !== null);
    if (await isStillAllowed(deps, session)) return;
    if (session.grant === grant) session.end('no_rights');
    // a page with another sign-in joined meanwhile
    else await check(session);
  }

  async function sweep(): Promise<void> {
    const all = Array.from(held.values());
    if (all.length === 0) return;
    const rows = all.map(({ held: { accountId, id }, bytesUp, bytesDown }) => ({ accountId, id, bytesUp, bytesDown }));
    const open = await database.withSystem((tx) => touchSessions(tx, rows, clock.now()));
    for (const session of all) {
      if (open.has(session.held.id)) await check(session);
      else await endAsWritten(session);
    }
  }

  /** Ends what another process has ended, before its word arrives. */
  async function endAsWritten(session: Holding): Promise<void> {
    const { accountId, id } = session.held;
    const row = await database.withSystem((tx) => findSession(tx, accountId, id));
    session.end(row?.end_reason ?? 'closed', row?.end_detail ?? null);
  }

  return {
    port: port.port,
    find: (id) => held.get(id),
    findWeb,
    async stop() {
      stopping = true;
      clearInterval(timer);
      for (const unsubscribe of subscriptions) unsubscribe();
      for (const session of Array.from(held.values())) session.end('process');
      await port.close();
      await sweeping;
      await writes.done();
    },
  };
}

function makerOf({ account_id, gwid, user_id, link_id, user_account_id }: RemoteSession): Maker | null {
  return link_id && user_account_id ? { account_id, gwid, user_id, user_account_id } : null;
}
