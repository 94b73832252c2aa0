import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { grouped } from '../../../platform/grouped.ts';
import { findSession, resumeSession, type Session } from '../session-store.ts';
import {
  type Accounted,
  type AccountedSession,
  accountedBy,
  findAccounted,
  returns,
  writeAccounted,
} from './accounted.ts';

export interface AccountingGateDeps {
  database: Database;
  clock: Clock;
}

/** Takes reports of gateways together, those of a session in their order; idempotent, because bytes are totals. */
export function createAccountingGate({ database, clock }: AccountingGateDeps) {
  const takeAlone = ({ place, event }: Accounted): Promise<void> =>
    database.withTenant({ accountId: place.accountId, userId: null, gwids: null }, async (tx) => {
      const now = clock.now();
      const [of] = await findAccounted(tx, [{ place, event }]);
      const session = of?.found ? await findSession(tx, place, of.found, true) : null;
      if (!session) return;
      const isBack = returns(session, event) && (await resumeSession(tx, session, now, session.end_reason!));
      const here = { state: 'online', ended_at: null, end_reason: null, acct_session_id: event.acctSessionId } as const;
      const before: Session = isBack ? { ...session, ...here } : session;
      const after = accountedBy(before, event, now);
      if (after !== before) await writeAccounted(tx, [after]);
    });

  const takeTogether = (reports: readonly Accounted[]): Promise<ReadonlySet<number>> =>
    database.withSystem((tx) => together(tx, reports, clock.now()));

  /** One that fails keeps back those of its session that follow, and no others. */
  async function takeRest(reports: readonly Accounted[], places: readonly number[], outcomes: Outcome[]) {
    const bySession = grouped(places, (at) => JSON.stringify([reports[at]!.place, reports[at]!.event.acctSessionId]));
    await Promise.all(
      [...bySession.values()].map(async (ofSession) => {
        let failed: Outcome = null;
        for (const at of ofSession) {
          failed ??= await takeAlone(reports[at]!).then(
            () => null,
            (error: unknown) => error,
          );
          outcomes[at] = failed;
        }
      }),
    );
  }

  return async function accountAll(reports: readonly Accounted[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = reports.map(() => null);
    const done = await takeTogether(reports).catch(() => new Set<number>());
    const rest = [...reports.keys()].filter((at) => !done.has(at));
    await takeRest(reports, rest, outcomes);
    return outcomes;
  };
}

type Outcome = unknown;

async function together(tx: Tx, reports: readonly Accounted[], now: Date): Promise<ReadonlySet<number>> {
  const done = new Set<number>();
  const found = await findAccounted(tx, reports);
  const before = new Map<string, AccountedSession>();
  for (const row of found) if (row.found !== null && row.id !== null) before.set(row.id, row);
  const after = new Map(before);
  const byAcct = new Map<string, string>();
  const left = new Set<string>();
  for (const [at, { place, event }] of reports.entries()) {
    const key = JSON.stringify([place.gwid, event.username, event.acctSessionId]);
    const id = found[at]!.found ?? byAcct.get(key) ?? null;
    if (id !== null) byAcct.set(key, id);
    const session = id === null ? null : after.get(id);
    // held by another transaction, or left to `takeAlone` with all that follows
    if (session === undefined || left.has(id ?? '')) continue;
    if (session && returns(session, event)) {
      left.add(session.id);
      continue;
    }
    if (session) after.set(session.id, accountedBy(session, event, now));
    done.add(at);
  }
  await writeAccounted(
    tx,
    [...after.values()].filter((session) => session !== before.get(session.id)),
  );
  return done;
}
