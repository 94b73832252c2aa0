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
import { type GuestGate, placeOf } from './guest-gate.ts';
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

/** Gives new events to the portal first: a crash in between would lose them here. Returns whether each is stored. */
async function storeBatch(deps: AccountingDeps, events: readonly AccountingEvent[]): Promise<boolean[]> {
  const now = deps.clock.now();
  const reports = events.map((event) => reportOf(event, now));
  const known = await findSessions(
    deps.database,
    reports.map(({ row }) => row),
  );
  const bySession = grouped([...events.keys()], (at) => sessionKey(reports[at]!.row));
  const stored = events.map(() => false);
  const settled = await Promise.all(
    [...bySession].map(async ([key, places]) => {
      let state = known.get(key);
      for (const at of places) {
        const event = events[at]!;
        if (event.hasGigawords) deps.activity.gigawords(event.nas);
        const { row, isNews, oddity } = settle(state, reports[at]!, !event.nas.sendsGigawords);
        const isTaken = !isNews || (await give(deps, event, row));
        if (!isTaken) break;
        if (oddity) deps.activity.odd(event.nas, oddity);
        state = row;
        stored[at] = true;
      }
      return state && state !== known.get(key) ? [state] : [];
    }),
  );
  await writeSessions(deps.database, settled.flat());
  return stored;
}

async function give(deps: AccountingDeps, event: AccountingEvent, row: SessionTable): Promise<boolean> {
  try {
    if (event.status === 'reset') await endSessions(deps, event.nas, row);
    else await deps.gate.account(placeOf(event.nas), { kind: event.status, ...event.session, ...totalsOf(row) });
    return true;
  } catch (error) {
    deps.log.error({ err: error }, 'accounting not taken by the portal');
    return false;
  }
}

const totalsOf = (row: SessionTable) => ({
  counter: `${row.session_id} ${row.begun}`,
  upBytes: row.up_bytes,
  downBytes: row.down_bytes,
});

async function endSessions({ database, gate }: AccountingDeps, nas: Nas, reset: SessionTable): Promise<void> {
  const open = await openSessions(database, reset);
  for (const row of open) {
    await gate.account(placeOf(nas), {
      kind: 'stop',
      username: row.username,
      acctSessionId: row.session_id,
      mac: row.mac,
      ip: row.ip,
      ...totalsOf(row),
      seconds: row.seconds,
      cause: resetCause,
    });
  }
  await writeSessions(
    database,
    open.map((row) => ({ ...row, status: 'stop', at: reset.at })),
  );
}
