import type { RadiusOddity } from '@yunxun/contract';
import { createBatcher } from '../../platform/batcher.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import type { Log } from '../../platform/log.ts';
import { type AccountingEvent, readAccounting, resetCause } from './accounting-event.ts';
import { settle } from './accounting-order.ts';
import type { Activity } from './activity.ts';
import { proxyStatesOf } from './authentication.ts';
import { encodeAnswer, requestAuthenticatorCheck } from './authenticators.ts';
import type { Candidates } from './candidates.ts';
import { textOf } from './dictionary.ts';
import { type GuestAccounting, type GuestGate, type GuestPlace, placeOf } from './guest-gate.ts';
import type { Nas } from './nas.ts';
import type { NasIndex } from './nas-index.ts';
import { codes, type Packet } from './packet.ts';
import type { RequestSource } from './request-source.ts';
import { findSessions, openSessions, reportOf, sessionKey, writeSessions } from './session-store.ts';
import type { SessionTable } from './tables.ts';

export interface AccountingDeps {
  database: Database;
  clock: Clock;
  log: Log;
  activity: Activity;
  index: Pick<NasIndex, 'prove'>;
  gate: GuestGate;
}

/** Requests per write; milliseconds that the first waits. */
const batch = { max: 1000, waitMs: 5 } as const;

export function createAccounting(deps: AccountingDeps) {
  let coming = 0;
  const store = createBatcher<AccountingEvent, boolean>((events) => storeBatch(deps, events), {
    ...batch,
    coming: () => coming,
  });

  /** Answers after the commit. Null: the gateway repeats. */
  return async function account(
    request: Packet,
    source: RequestSource,
    candidates: Candidates,
  ): Promise<Buffer | null> {
    const isProvenBy = requestAuthenticatorCheck(request);
    const nas = await candidates.find(({ secret }) => isProvenBy(secret));
    if (!nas) {
      deps.activity.refused(candidates.shown, 'wrong_secret');
      return null;
    }
    await deps.index.prove(nas, { source, identifier: textOf(request, 'NAS-Identifier'), isSigned: false });
    const event = readAccounting(request, nas, source);
    if (event === null) {
      deps.activity.refused([nas], 'no_session');
      return null;
    }
    if (event !== 'ignored') {
      coming += 1;
      const stored = await store(event).finally(() => {
        coming -= 1;
      });
      if (!stored) return null;
      deps.activity.count(nas, 'accounted');
    }
    const answer = { code: codes.accountingResponse, attributes: proxyStatesOf(request) };
    return encodeAnswer(request, answer, nas.secret);
  };
}

interface Step {
  at: number;
  row: SessionTable;
  isNews: boolean;
  oddity: RadiusOddity | null;
}

/** Gives new events to the portal first: a crash in between would lose them here. Returns whether each is stored. */
async function storeBatch(deps: AccountingDeps, events: readonly AccountingEvent[]): Promise<boolean[]> {
  const now = deps.clock.now();
  const reports = events.map((event) => reportOf(event, now));
  const known = await findSessions(
    deps.database,
    reports.map(({ row }) => row),
  );
  const bySession = grouped([...events.keys()], (at) => sessionKey(reports[at]!.row));
  const chains = [...bySession].map(([key, places]) => {
    let state = known.get(key);
    return places.map((at): Step => {
      const { nas, hasGigawords } = events[at]!;
      if (hasGigawords) deps.activity.gigawords(nas);
      const settled = settle(state, reports[at]!, !nas.sendsGigawords);
      state = settled.row;
      return { at, ...settled };
    });
  });
  const news = chains.flat().filter(({ isNews }) => isNews);
  const untaken = await give(
    deps,
    events,
    news.toSorted((a, b) => a.at - b.at),
  );
  const stored = events.map(() => false);
  const rows: SessionTable[] = [];
  for (const chain of chains) {
    const end = chain.findIndex(({ at }) => untaken.has(at));
    const taken = end === -1 ? chain : chain.slice(0, end);
    for (const { at, oddity } of taken) {
      if (oddity) deps.activity.odd(events[at]!.nas, oddity);
      stored[at] = true;
    }
    const last = taken.at(-1)?.row;
    if (last && last !== known.get(sessionKey(last))) rows.push(last);
  }
  await writeSessions(deps.database, rows);
  return stored;
}

async function give(
  deps: AccountingDeps,
  events: readonly AccountingEvent[],
  news: readonly Step[],
): Promise<ReadonlySet<number>> {
  const untaken = new Set<number>();
  const fail = (at: number, error: unknown) => {
    untaken.add(at);
    deps.log.error({ err: error }, 'accounting not taken by the portal');
  };
  const guests: { at: number; place: GuestPlace; event: GuestAccounting }[] = [];
  for (const { at, row } of news) {
    const { nas, status, session } = events[at]!;
    if (status === 'reset') await endSessions(deps, nas, row).catch((error: unknown) => fail(at, error));
    else guests.push({ at, place: placeOf(nas), event: { kind: status, ...session, ...totalsOf(row) } });
  }
  if (guests.length === 0) return untaken;
  const outcomes = await deps.gate.accountAll(guests).catch((error: unknown) => guests.map(() => error));
  for (const [n, error] of outcomes.entries()) if (error) fail(guests[n]!.at, error);
  return untaken;
}

const totalsOf = (row: SessionTable) => ({
  counter: `${row.session_id} ${row.begun}`,
  upBytes: row.up_bytes,
  downBytes: row.down_bytes,
});

/** @throws what the portal failed of */
async function endSessions({ database, gate }: AccountingDeps, nas: Nas, reset: SessionTable): Promise<void> {
  const open = await openSessions(database, reset);
  const stops = open.map((row) => ({
    place: placeOf(nas),
    event: {
      kind: 'stop' as const,
      username: row.username,
      acctSessionId: row.session_id,
      mac: row.mac,
      ip: row.ip,
      ...totalsOf(row),
      seconds: row.seconds,
      cause: resetCause,
    },
  }));
  const failed = (await gate.accountAll(stops)).find((error) => error);
  if (failed) throw failed;
  await writeSessions(
    database,
    open.map((row) => ({ ...row, status: 'stop', at: reset.at })),
  );
}
