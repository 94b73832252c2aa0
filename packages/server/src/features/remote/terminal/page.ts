import { allows, networksOf } from '@yunxun/contract';
import { asRecord, readRemoteSize, remoteForms, remoteLimits } from '@yunxun/contract/device';
import type { RemoteOutput } from '@yunxun/contract/remote-terminal';
import type { Bus } from '../../../platform/bus/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { tokenHash } from '../../../platform/crypto/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { HttpOptions } from '../../../platform/http/http-options.ts';
import type { Log } from '../../../platform/log.ts';
import { findGuestSession } from '../links/store.ts';
import { type Channel, joinChannels, socketChannel } from '../relay/channel.ts';
import { refuse } from '../relay/file-pages.ts';
import { FileRefused } from '../relay/files.ts';
import { HeldSession } from '../relay/held-session.ts';
import { dialHolder, type HolderDeps, type HolderRequest } from '../relay/holder.ts';
import type { Relay } from '../relay/index.ts';
import { readMaker } from '../relay/rights.ts';
import { findSession } from '../store.ts';
import { onFact, type SessionFact } from '../subjects.ts';
import type { RemoteSession } from '../tables.ts';

export interface PageDeps extends HolderDeps {
  database: Database;
  clock: Clock;
  log: Log;
  authenticate: HttpOptions['authenticate'];
  /** Null: other processes hold the connections of devices. */
  relay(): Relay | null;
}

const lookEvery = 3000;

/** Joins a page that said hello to its session. @returns false for a page that may not see it */
export async function servePage(
  deps: PageDeps,
  channel: Channel,
  { id, hello, ip }: { id: string; hello: string; ip: string },
): Promise<boolean> {
  const { bus, clock } = deps;
  const given = asRecord<Hello>(parsed(hello));
  if (given.files === true) return serveFiles(deps, channel, id, given, ip);
  const size = readRemoteSize(given.cols, given.rows);
  if (!size || !remoteForms.session.test(id)) return false;
  const viewer = typeof given.link === 'string' ? await guest(deps, id, given.link) : await person(deps, id, given, ip);
  if (!viewer) return false;
  const { row, read, grant } = viewer;
  const request: TerminalRequest = { what: 'terminal', grant, size };
  const say = (output: RemoteOutput) => channel.send(JSON.stringify(output));
  const watch = watchSession(bus, id, channel);
  say({ type: 'state', state: 'waiting', until: row.token_until.toISOString(), recorded: row.recording !== 'off' });
  try {
    while (!watch.hasLeft()) {
      if (await join(deps, channel, id, request)) return true;
      const now = await read();
      const left = row.token_until.getTime() - clock.now().getTime();
      const over = watch.ended() ?? endOf(now, left);
      if (over) {
        say({ type: 'end', ...over });
        break;
      }
      await watch.next(Math.max(lookEvery, Math.min(left, remoteLimits.token)));
    }
  } finally {
    watch.stop();
  }
  channel.close();
  return true;
}

/** Joins a page to the files of a session that is open, and refuses a technician's. */
async function serveFiles(
  deps: PageDeps,
  channel: Channel,
  id: string,
  given: Partial<Hello>,
  ip: string,
): Promise<boolean> {
  const isGuest = given.link !== undefined || !remoteForms.session.test(id);
  const viewer = isGuest ? null : await person(deps, id, given, ip);
  const isServed = viewer?.grant ? await join(deps, channel, id, { what: 'files', grant: viewer.grant }) : false;
  if (!isServed) refuse(channel, new FileRefused('none'));
  return true;
}

interface Hello {
  token: unknown;
  account: unknown;
  link: unknown;
  cols: unknown;
  rows: unknown;
  files: unknown;
}

interface Viewer {
  row: RemoteSession;
  read(): Promise<RemoteSession | undefined>;
  grant: TerminalRequest['grant'];
}

async function person(
  { database, authenticate }: PageDeps,
  id: string,
  { token, account = null }: Partial<Hello>,
  ip: string,
): Promise<Viewer | null> {
  if (typeof token !== 'string' || (account !== null && typeof account !== 'string')) return null;
  const hash = tokenHash(token);
  const identity = await authenticate(hash, { account, viewAs: null, ip, active: true }).catch(() => null);
  if (!identity || identity.actor.token || !allows(identity.actor, 'remote.use')) return null;
  const { accountId, userId, homeAccountId } = identity.actor;
  const scope = { accountId, userId, gwids: networksOf(identity.actor) };
  const read = () => database.withTenant(scope, (tx) => findSession(tx, accountId, id));
  const row = await read();
  if (!row || row.user_id !== userId || row.link_id !== null) return null;
  return { row, read, grant: { tokenHash: hash.toString('hex'), account, homeAccountId, ip } };
}

/** The technician who opened a link, while its maker may. */
async function guest({ database }: PageDeps, id: string, secret: string): Promise<Viewer | null> {
  const hash = tokenHash(secret);
  const read = () => database.withSystem((tx) => findGuestSession(tx, id, hash));
  const row = await read();
  if (!row?.user_account_id) return null;
  const maker = await readMaker(database, { ...row, user_account_id: row.user_account_id });
  return maker && { row, read, grant: null };
}

type Ended = Pick<Extract<SessionFact, { type: 'ended' }>, 'reason' | 'detail'>;

function endOf(row: RemoteSession | undefined, left: number): Ended | null {
  if (!row || row.ended_at) return { reason: row?.end_reason ?? 'closed', detail: row?.end_detail ?? null };
  return left <= 0 && !row.connected_at ? { reason: 'silent', detail: null } : null;
}

function watchSession(bus: Bus, id: string, channel: Channel) {
  let over: Ended | null = null;
  let isLeft = false;
  let isNew = false;
  let wake: (() => void) | null = null;
  const happen = () => {
    isNew = true;
    wake?.();
  };
  const stop = onFact(bus, id, (fact) => {
    if (fact.type === 'ended') over = { reason: fact.reason, detail: fact.detail };
    happen();
  });
  channel.listen({
    message: () => undefined,
    drain: () => undefined,
    close() {
      isLeft = true;
      happen();
    },
  });
  return {
    ended: () => over,
    hasLeft: () => isLeft,
    stop,
    next: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (isNew) wake();
        isNew = false;
      }),
  };
}

type TerminalRequest = Extract<HolderRequest, { what: 'terminal' }>;
type PageRequest = Extract<HolderRequest, { what: 'terminal' | 'files' }>;

/** Returns false while no process holds the session. */
async function join(deps: PageDeps, channel: Channel, id: string, request: PageRequest): Promise<boolean> {
  const own = deps.relay()?.find(id);
  if (own instanceof HeldSession) {
    if (request.what === 'files') own.filePages.join(channel, request.grant);
    else own.attach(channel, request.grant, request.size);
    return true;
  }
  const socket = await dialHolder(deps, id, request);
  if (!socket) return false;
  joinChannels(channel, socketChannel(socket));
  return true;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
