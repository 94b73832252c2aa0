import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  neverSeen,
  nextPresence,
  type Presence,
  type PresenceChange,
  restartLimitMs,
  statusOf,
  statusOfRank,
  statusSince,
  vouchLimitMs,
} from './status.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

const histories = fc.array(
  fc.record({
    type: fc.constantFrom('connected', 'disconnected', 'seen', 'restart_commanded', 'nothing'),
    reason: fc.constantFrom(null, 'socket', 'reboot', 'coldboot', 'upgrade'),
    after: fc.integer({ min: 1, max: 900 }),
  }),
  { maxLength: 30 },
);
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

function replay(
  history: History,
  look: (presence: Presence, at: Date, before: Presence, change: PresenceChange | null) => void,
): void {
  let presence = neverSeen;
  let time = start;
  for (const { type, reason, after } of history) {
    time += after * 1000;
    const at = new Date(time);
    const change = type === 'nothing' ? null : ({ type, at, reason } as PresenceChange);
    const before = presence;
    if (change) presence = nextPresence(presence, change);
    look(presence, at, before, change);
  }
}

describe('status of a device', () => {
  it('follows its facts through any history', () => {
    fc.assert(
      fc.property(histories, (history) => {
        let everConnected = false;
        let open = false;
        let lastSign = 0;
        replay(history, (presence, at, _before, change) => {
          if (change?.type === 'connected') {
            everConnected = true;
            open = true;
          }
          if (change?.type === 'disconnected') open = false;
          if (change?.type === 'connected' || (change?.type === 'seen' && open)) lastSign = at.getTime();
          const status = statusOf(presence, at);
          expect(status === 'never_connected').toBe(!everConnected && status !== 'restarting');
          if (status === 'online') expect(open && at.getTime() - lastSign < vouchLimitMs).toBe(true);
          if (status === 'unknown') expect(open && at.getTime() - lastSign >= vouchLimitMs).toBe(true);
          if (status === 'offline') expect(open).toBe(false);
          expect(presence.firstSeen !== null).toBe(everConnected);
          if (everConnected) expect(presence.lastSeen).not.toBeNull();
        });
      }),
    );
  });

  it('is restarting only after a command of ours, and for ten minutes at most', () => {
    fc.assert(
      fc.property(histories, (history) => {
        let commanded: number | null = null;
        replay(history, (presence, at, before, change) => {
          if (change?.type === 'restart_commanded') commanded = at.getTime();
          const restarting = statusOf(presence, at) === 'restarting';
          if (restarting) {
            expect(commanded).not.toBeNull();
            expect(at.getTime() - (commanded ?? 0)).toBeLessThan(restartLimitMs);
          }
          if (change?.type === 'connected' && change.reason !== 'socket') expect(restarting).toBe(false);
          if (change?.type === 'disconnected' && statusOf(before, at) === 'restarting') expect(restarting).toBe(true);
        });
      }),
    );
  });

  it('is dated: the time it shows never lies ahead, and offline is dated by the moment the session closed', () => {
    fc.assert(
      fc.property(histories, (history) => {
        replay(history, (presence, at, before, change) => {
          const status = statusOf(presence, at);
          const since = statusSince(presence, status);
          if (since) expect(since.getTime()).toBeLessThanOrEqual(at.getTime());
          else expect(status).toBe('never_connected');
          if (change?.type === 'disconnected' && before.online && status === 'offline') expect(since).toEqual(at);
        });
      }),
    );
  });

  it('keeps restarting through a plain reconnect before the restart, not through one after it', () => {
    const at = (seconds: number) => new Date(start + seconds * 1000);
    const commanded = nextPresence(nextPresence(neverSeen, { type: 'connected', at: at(0), reason: 'coldboot' }), {
      type: 'restart_commanded',
      at: at(100),
    });
    const soon = nextPresence(commanded, { type: 'connected', at: at(110), reason: 'socket' });
    expect(statusOf(soon, at(111))).toBe('restarting');
    const late = nextPresence(commanded, { type: 'connected', at: at(130), reason: 'socket' });
    expect(statusOf(late, at(131))).toBe('online');
  });
});

describe('the database', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(async () => {
    await db.database.close();
    await db.drop();
  });

  it('says the same status as the program, for any history', async () => {
    const cases: { presence: Presence; at: Date }[] = [];
    for (const history of fc.sample(histories, 60)) replay(history, (presence, at) => cases.push({ presence, at }));
    const column = <T>(read: (presence: Presence) => T) => cases.map(({ presence }) => read(presence));
    const { rows } = await sql<{ rank: number }>`
      select platform.presence(online, restarting_since, last_seen, first_seen, at) as rank
      from unnest(${column((p) => p.online)}::boolean[], ${column((p) => p.restartingSince)}::timestamptz[],
        ${column((p) => p.lastSeen)}::timestamptz[], ${column((p) => p.firstSeen)}::timestamptz[],
        ${cases.map(({ at }) => at)}::timestamptz[]) with ordinality
        as c (online, restarting_since, last_seen, first_seen, at, place) order by place
    `.execute(db.database.system);
    expect(rows.map(({ rank }) => statusOfRank(rank))).toEqual(cases.map(({ presence, at }) => statusOf(presence, at)));
  });

  it('computes it in the query, not by a call for each row', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (verbose) select platform.presence(online, restarting_since, last_seen, first_seen, now()) from device
    `.execute(db.database.system);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('CASE WHEN');
    expect(plan).not.toContain('platform.presence');
  });
});
