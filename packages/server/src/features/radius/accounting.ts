import { createBatcher } from '../../platform/batcher.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import type { Log } from '../../platform/log.ts';
import { type AccountingEvent, readAccounting, resetCause } from './accounting-event.ts';
import type { Activity } from './activity.ts';
import { proxyStatesOf } from './authentication.ts';
import { encodeAnswer, hasRequestAuthenticator } from './authenticators.ts';
import { type GuestGate, placeOf } from './guest-gate.ts';
import type { Nas } from './nas-index.ts';
import { codes, type Packet } from './packet.ts';
import type { RequestSource } from './request-source.ts';
import { findSessions, openSessions, sessionKey, sessionRow, writeSessions } from './session-store.ts';
import type { SessionTable } from './tables.ts';

export interface AccountingDeps {
  database: Database;
  clock: Clock;
  log: Log;
  activity: Activity;
  gate: GuestGate;
}

/** Requests per write; milliseconds that the first waits. */
const batch = { max: 1000, waitMs: 5 } as const;
/** A session id may return after this; until then a start after a stop is late. */
const reusedAfter = 5 * 60_000;

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
    candidates: readonly Nas[],
  ): Promise<Buffer | null> {
    const nas = candidates.find(({ secret }) => hasRequestAuthenticator(request, secret));
    if (!nas) {
      deps.activity.refused(candidates, 'wrong_secret');
      return null;
    }
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
  const rows = events.map((event) => sessionRow(event, now));
  const known = await findSessions(deps.database, rows);
  const bySession = grouped([...events.keys()], (at) => sessionKey(rows[at]!));
  const stored = events.map(() => false);
  const settled = await Promise.all(
    [...bySession].map(async ([key, places]) => {
      let state = known.get(key);
      for (const at of places) {
        const [event, row] = [events[at]!, rows[at]!];
        if (!isRepeated(state, row)) {
          const isTaken = await give(deps, event, row);
          if (!isTaken) break;
          state = row;
        }
        stored[at] = true;
      }
      return state === known.get(key) ? [] : [state!];
    }),
  );
  await writeSessions(deps.database, settled.flat());
  return stored;
}

/** Recognises repeated and overtaken packets. */
function isRepeated(state: SessionTable | undefined, row: SessionTable): boolean {
  if (!state) return false;
  const age = row.at.getTime() - state.at.getTime();
  if (state.status === 'stop' || state.status === 'reset') return age < reusedAfter || row.status === 'interim';
  if (row.status === 'start') return true;
  return row.status === 'interim' && state.status === 'interim' && row.seconds <= state.seconds;
}

async function give(deps: AccountingDeps, event: AccountingEvent, row: SessionTable): Promise<boolean> {
  try {
    if (event.status === 'reset') await endSessions(deps, event.nas, row);
    else await deps.gate.account(placeOf(event.nas), { kind: event.status, ...event.session });
    return true;
  } catch (error) {
    deps.log.error({ err: error }, 'accounting not taken by the portal');
    return false;
  }
}

async function endSessions({ database, gate }: AccountingDeps, nas: Nas, reset: SessionTable): Promise<void> {
  const open = await openSessions(database, reset);
  for (const row of open) {
    await gate.account(placeOf(nas), {
      ...{ kind: 'stop', username: row.username, acctSessionId: row.session_id, mac: row.mac, ip: row.ip },
      ...{ seconds: row.seconds, upBytes: row.up_bytes, downBytes: row.down_bytes, cause: resetCause },
    });
  }
  await writeSessions(
    database,
    open.map((row) => ({ ...row, status: 'stop', at: reset.at })),
  );
}
