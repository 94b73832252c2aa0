import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TerminalEvent } from '../extract/events.ts';
import { unknownSpeeds } from '../extract/speeds.ts';
import type { Observation } from '../extract/stations.ts';
import {
  type AssociationSnapshot,
  applyAssociations,
  applyJoin,
  applyLeave,
  type ClientEvent,
} from './associations.ts';
import { emptyPresence, type Presence, type Session } from './client-session.ts';

const bssid = '903cb3000011';
const start = 1_790_000_000_000;
const at = (seconds: number) => start + seconds * 1000;

const presence = emptyPresence;
const observation = (
  mac: string,
  connectedS: number | null,
  bytes = 0,
  more: Partial<Observation> = {},
): Observation => ({
  mac,
  bssid,
  band: 5,
  ssid: 'House',
  port: null,
  ip: null,
  ip6: null,
  hostname: null,
  guess: null,
  authenticated: false,
  username: null,
  connectedS,
  tx: bytes,
  rx: 0,
  rssi: null,
  txRate: null,
  rxRate: null,
  packets: null,
  ...more,
});
const snapshot = (
  seconds: number,
  observations: Observation[],
  more: Partial<AssociationSnapshot> = {},
): AssociationSnapshot => ({
  observations,
  at: at(seconds),
  localtimeS: at(seconds) / 1000,
  verdict: 'next',
  before: at(seconds - 60),
  wired: null,
  speeds: unknownSpeeds,
  ...more,
});
const event = (
  type: 'join' | 'leave',
  mac: string,
  seconds: number,
  more: Partial<TerminalEvent> = {},
): ClientEvent => ({
  event: {
    type,
    mac,
    bssid,
    ssid: 'House',
    band: 5,
    port: null,
    seconds: at(seconds) / 1000,
    tx: null,
    rx: null,
    connectedS: null,
    ...more,
  },
  at: at(seconds),
  reportedS: null,
  reportedAt: at(seconds - 60),
  band: 5,
});

const [anna, ben] = ['020000000001', '020000000002'];
const only = (there: Presence): Session => [...there.open.values()][0]!;

describe('a terminal', () => {
  test('counts from its association; in the device’s first report, from that report', () => {
    const there = presence();
    applyAssociations(there, snapshot(0, [observation(anna, 600, 5000)], { verdict: 'first', before: null }));
    expect(only(there)).toMatchObject({ startedAt: at(-600), lastAt: at(0), down: 0 });
    applyAssociations(there, snapshot(60, [observation(anna, 660, 5100), observation(ben, 20, 70)]));
    expect([...there.open.values()]).toMatchObject([
      { mac: anna, startedAt: at(-600), down: 100 },
      { mac: ben, startedAt: at(40), down: 70 },
    ]);
  });

  test('that is no longer listed has gone when it was last seen', () => {
    const there = presence();
    applyAssociations(there, snapshot(0, [observation(anna, 10)]));
    applyAssociations(there, snapshot(60, []));
    expect(there.open.size).toBe(0);
    expect(there.ended).toMatchObject([{ endedAt: at(0), reason: 'gone' }]);
  });

  test('whose association is younger than its last sighting has been away', () => {
    const there = presence();
    applyAssociations(there, snapshot(0, [observation(anna, 10, 900)]));
    applyAssociations(there, snapshot(60, [observation(anna, 20, 1000)]));
    expect(there.ended).toMatchObject([{ endedAt: at(0), session: { down: 900 } }]);
    expect(only(there)).toMatchObject({ startedAt: at(40), down: 1000 });
  });

  test('has left everything behind when the device restarts', () => {
    const there = presence();
    applyAssociations(there, snapshot(0, [observation(anna, 10, 900)]));
    applyAssociations(there, snapshot(60, [observation(anna, 70, 30)], { verdict: 'restarted' }));
    expect(there.ended).toMatchObject([{ reason: 'restart', endedAt: at(0) }]);
    expect(only(there)).toMatchObject({ down: 30, startedAt: at(0) });
  });

  test('that joins between a restart and the first report after it stays, with all that it sent', () => {
    const there = presence();
    applyAssociations(there, snapshot(0, [observation(anna, 10, 900)]));
    applyJoin(there, event('join', ben, 50));
    const air = { packets: [7, 0, 0] as const };
    const first = applyAssociations(there, snapshot(60, [observation(ben, 10, 30, air)], { verdict: 'restarted' }));
    expect(there.ended).toMatchObject([{ reason: 'restart', session: { mac: anna } }]);
    expect(only(there)).toMatchObject({ mac: ben, down: 30, startedAt: at(50), lastAt: at(60) });
    expect(first.air.sent).toBe(7);
  });

  test('joins and leaves when the device says so, with its final bytes', () => {
    const there = presence();
    applyJoin(there, event('join', anna, 5));
    expect(only(there)).toMatchObject({ startedAt: at(5) });
    applyAssociations(there, snapshot(60, [observation(anna, 55, 500)]));
    applyLeave(there, event('leave', anna, 80, { tx: 800, rx: 30, connectedS: 75 }));
    expect(there.ended).toMatchObject([{ reason: 'leave', endedAt: at(80), session: { down: 800, up: 30 } }]);
    expect(there.open.size).toBe(0);
  });

  test('that joins while a report is being made stays, one that joined before it has gone', () => {
    const there = presence();
    applyJoin(there, event('join', anna, 59));
    applyJoin(there, event('join', ben, 30));
    applyAssociations(there, snapshot(61, [], { localtimeS: at(58) / 1000 }));
    expect([...there.open.values()].map(({ mac }) => mac)).toEqual([anna]);
  });

  test('that joined by a clock that was set back since, and is never listed, has gone', () => {
    const there = presence();
    applyJoin(there, event('join', anna, 30));
    const back = { localtimeS: at(-86_400) / 1000 };
    for (const minute of [1, 2]) applyAssociations(there, snapshot(minute * 60, [], back));
    expect(there.open.size).toBe(1);
    applyAssociations(there, snapshot(180, [], back));
    expect(there.ended).toMatchObject([{ session: { mac: anna }, reason: 'gone' }]);
  });

  test('known only by its leave counts from the last report; at most a week counts', () => {
    const there = presence();
    const days = (n: number) => n * 86_400;
    const countedOf = (seconds: number, reportedAt: number | null) => {
      applyLeave(there, { ...event('leave', anna, seconds, { tx: 5, connectedS: days(399) }), reportedAt });
      const { session } = there.ended.pop()!;
      expect(session.startedAt).toBe(at(seconds - days(399)));
      return session.shares.reduce((sum, { from, to }) => sum + to - from, 0) / 1000;
    };
    expect(countedOf(80, at(60))).toBe(25);
    expect(countedOf(80, at(90))).toBe(days(7));
    expect(countedOf(80, at(-days(30)))).toBe(days(7));
    expect(countedOf(80, null)).toBe(0);
    applyAssociations(there, snapshot(0, [observation(anna, 10)]));
    applyAssociations(
      there,
      snapshot(days(90), [observation(anna, 10 + days(90)), observation(ben, days(80))], { before: at(0) }),
    );
    expect([...there.open.values()].map(({ shares }) => shares.at(-1)!.to - shares.at(-1)!.from)).toEqual(
      [days(7), days(7)].map((seconds) => seconds * 1000),
    );
  });

  test('is not present because of a late old event', () => {
    const there = presence();
    applyJoin(there, { ...event('join', anna, 5), reportedS: at(60) / 1000 });
    expect(there.open.size).toBe(0);
    applyAssociations(there, snapshot(60, [observation(anna, 10, 40)]));
    applyLeave(there, event('leave', anna, 20, { tx: 9999 }));
    expect(only(there)).toMatchObject({ down: 40 });
  });

  test('that is one of thousands in an hour is made up, and fills no table', () => {
    const there = { ...presence(), capacity: 2 };
    const crowd = [1, 2, 3, 4].map((n) => observation(`02000000000${n}`, 10, 5));
    expect(applyAssociations(there, snapshot(0, crowd)).clamped).toBe(2);
    expect(there.open.size).toBe(2);
    expect(
      applyJoin(there, event('join', '020000000009', 5)) + applyLeave(there, event('leave', '02000000000a', 5)),
    ).toBe(2);
    const [one, two] = crowd.map(({ mac }) => observation(mac, 70, 6)) as [Observation, Observation];
    expect(applyAssociations(there, snapshot(60, [one, two])).clamped).toBe(0);
    expect(there.open.size).toBe(2);
  });

  test('has no more packets than there was time for: what cannot be is none', () => {
    const there = presence();
    const packets = (sent: number) => ({ packets: [sent, 1, 1] as const });
    applyAssociations(there, snapshot(0, [], { verdict: 'first', before: null }));
    const lie = applyAssociations(
      there,
      snapshot(60, [observation(anna, 50, 0, packets(2 ** 53)), observation(ben, 50, 0, packets(900))]),
    );
    expect(lie).toEqual({ air: { sent: 900, retries: 1, failed: 1 }, clamped: 1 });
    const next = applyAssociations(
      there,
      snapshot(120, [observation(anna, 110, 0, packets(7)), observation(ben, 110, 0, packets(950))]),
    );
    expect(next).toEqual({ air: { sent: 57, retries: 1, failed: 1 }, clamped: 0 });
  });

  test('on a cable is present while it is listed', () => {
    const there = presence();
    const wired = observation(anna, null, 0, { bssid: '', band: 0, port: 'LAN1', tx: null, rx: null });
    applyAssociations(there, snapshot(0, [wired]));
    applyAssociations(there, snapshot(60, [wired]));
    expect(only(there)).toMatchObject({ startedAt: at(0), lastAt: at(60), port: 'LAN1' });
  });
});

describe('a terminal on a cable whose bytes the gateway counts', () => {
  const cable = { bssid: '', band: 0, port: 'LAN1' } as const;
  const counted = (
    seconds: number,
    bytes: Record<string, number>,
    here: string[],
    more: Partial<AssociationSnapshot> = {},
  ) =>
    snapshot(
      seconds,
      here.map((mac) => observation(mac, null, bytes[mac] ?? 0, { ...cable, tx: bytes[mac] ?? null, rx: 0 })),
      { wired: new Map(Object.entries(bytes).map(([mac, tx]) => [mac, { tx, rx: 0 }])), ...more },
    );
  const reported = (
    type: 'join' | 'leave',
    mac: string,
    seconds: number,
    more: Partial<TerminalEvent> = {},
  ): ClientEvent => {
    const { event: reported, ...rest } = event(type, mac, seconds, { ...cable, ssid: null, ...more });
    return { ...rest, event: reported, band: 0 };
  };

  test('has bytes since it came; earlier ones belong to another session', () => {
    const there = presence();
    applyAssociations(there, counted(0, { [anna]: 5000 }, [anna], { verdict: 'first', before: null }));
    expect(only(there)).toMatchObject({ down: 0, tx: { value: 5000 } });
    applyAssociations(there, counted(60, { [anna]: 5600 }, [anna]));
    expect(only(there).down).toBe(600);
    applyLeave(there, reported('leave', anna, 90, { tx: 9999, connectedS: 400 }));
    expect(there.ended).toMatchObject([{ reason: 'leave', endedAt: at(90), session: { down: 600 } }]);
    // later bytes count for the next session
    applyAssociations(there, counted(120, { [anna]: 5700 }, []));
    applyJoin(there, reported('join', anna, 130));
    applyAssociations(there, counted(180, { [anna]: 5750 }, [anna]));
    expect(only(there)).toMatchObject({ startedAt: at(130), port: 'LAN1', band: 0, down: 150 });
  });

  test('that was in no report before began with nothing; one that comes and goes between two of them loses nothing', () => {
    const there = presence();
    applyAssociations(there, counted(0, {}, [], { verdict: 'first', before: null }));
    applyJoin(there, reported('join', anna, 20));
    applyAssociations(there, counted(60, { [anna]: 300 }, [anna]));
    applyLeave(there, reported('leave', anna, 100, { tx: 450, rx: 40, connectedS: 80 }));
    expect(there.ended).toMatchObject([{ session: { startedAt: at(20), down: 300, up: 0 } }]);
    applyJoin(there, reported('join', anna, 110));
    applyAssociations(there, counted(120, { [anna]: 470 }, [anna]));
    expect(only(there).down).toBe(170);
    applyJoin(there, reported('join', ben, 130));
    applyLeave(there, reported('leave', ben, 150, { tx: 90, connectedS: 20 }));
    applyAssociations(there, counted(180, { [anna]: 470, [ben]: 90 }, [anna]));
    applyJoin(there, reported('join', ben, 200));
    applyAssociations(there, counted(240, { [anna]: 470, [ben]: 95 }, [anna, ben]));
    expect(there.open.get(`${ben} `)?.down).toBe(95);
  });

  test('goes on when the agent starts anew, and when the box restarts with its counters kept', () => {
    const there = presence();
    applyAssociations(there, counted(0, { [anna]: 100 }, [anna], { verdict: 'first', before: null }));
    applyAssociations(there, counted(60, { [anna]: 400 }, [anna]));
    applyJoin(there, reported('join', anna, 80));
    expect(there.ended).toEqual([]);
    applyAssociations(there, counted(120, { [anna]: 450 }, [anna], { verdict: 'restarted' }));
    expect(there.ended).toMatchObject([{ reason: 'restart', session: { down: 300 } }]);
    expect(only(there).down).toBe(50);
  });

  test('counts on from where its counters began anew, and nothing that cannot be', () => {
    const there = presence();
    applyAssociations(there, counted(0, { [anna]: 5000 }, [anna], { verdict: 'first', before: null }));
    applyAssociations(there, counted(60, { [anna]: 70 }, [anna]));
    applyAssociations(there, counted(120, { [anna]: 90 }, [anna]));
    expect(only(there).down).toBe(20);
    expect(applyAssociations(there, counted(180, { [anna]: 2 ** 53 - 1 }, [anna])).clamped).toBe(1);
    expect(only(there).down).toBe(20);
    expect(applyLeave(there, reported('leave', anna, 190, { tx: 2 ** 53 - 1, connectedS: 70 }))).toBe(0);
    expect(there.ended[0]?.session.down).toBe(20);
    expect(applyLeave(there, reported('leave', ben, 140, { tx: 700, connectedS: 60 }))).toBe(0);
    expect(there.ended).toHaveLength(1);
  });
});

const step = fc.record({
  moves: fc.array(fc.record({ client: fc.nat(3), bytes: fc.integer({ min: 1, max: 1e6 }), toggle: fc.boolean() }), {
    maxLength: 4,
  }),
  heard: fc.boolean(),
  report: fc.constantFrom('none', 'arrives', 'lost'),
});

test('sessions, bytes and time present equal the reported ones, whatever is lost', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (life) => {
      const there = presence();
      const now = new Map<number, { since: number; bytes: number; heard: number; reported: boolean }>();
      let truth = 0;
      let reported = 0;
      let seconds = 0;
      let before = at(0);
      applyAssociations(there, snapshot(0, [], { verdict: 'first', before: null }));
      const hear = (one: { bytes: number; heard: number; reported: boolean }) => {
        truth += one.bytes - one.heard;
        if (!one.reported) reported += 1;
        Object.assign(one, { heard: one.bytes, reported: true });
      };
      for (const { moves, heard, report } of life) {
        seconds += 20;
        const moved = new Set<number>();
        for (const { client, bytes, toggle } of moves) {
          if (moved.has(client)) continue;
          moved.add(client);
          const one = now.get(client);
          const mac = `02000000000${client}`;
          if (one) one.bytes += bytes;
          if (toggle && one) {
            now.delete(client);
            if (!heard) continue;
            hear(one);
            const whole = { tx: one.bytes, rx: 0, connectedS: seconds - one.since };
            applyLeave(there, { ...event('leave', mac, seconds, whole), reportedAt: before });
          } else if (toggle) {
            const fresh = { since: seconds, bytes: 0, heard: 0, reported: false };
            now.set(client, fresh);
            if (!heard) continue;
            hear(fresh);
            applyJoin(there, event('join', mac, seconds));
          }
        }
        if (report !== 'arrives') continue;
        // the report arrives a second later
        const observations = [...now].map(([client, one]) =>
          observation(`02000000000${client}`, seconds + 1 - one.since, one.bytes),
        );
        for (const one of now.values()) hear(one);
        applyAssociations(there, { ...snapshot(seconds + 1, observations), before });
        before = at(seconds + 1);
        expect(new Set([...there.open.values()].map(({ mac }) => mac))).toEqual(
          new Set([...now.keys()].map((client) => `02000000000${client}`)),
        );
      }
      const all = [...there.ended.map(({ session }) => session), ...there.open.values()];
      expect(all.reduce((sum, { down }) => sum + down, 0)).toBe(truth);
      expect(all).toHaveLength(reported);
      for (const { shares, down, startedAt, lastAt } of all) {
        expect(shares.reduce((sum, share) => sum + share.down, 0)).toBe(down);
        expect(shares.reduce((sum, share) => sum + share.to - share.from, 0)).toBe(lastAt - startedAt);
        expect(shares.reduce((sum, share) => sum + share.sessions, 0)).toBe(1);
      }
    }),
    { numRuns: 300 },
  );
});
