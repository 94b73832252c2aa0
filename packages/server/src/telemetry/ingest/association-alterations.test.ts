import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../tools/property-runs.ts';
import { unknownSpeeds } from '../extract/speeds.ts';
import type { Observation } from '../extract/stations.ts';
import { applyAssociations } from './associations.ts';
import { emptyPresence, type Session } from './client-session.ts';

const mega = 1_000_000;
const speed = 125 * mega;
const speeds = { wan: speed, air: { 2: speed, 5: speed, 6: speed }, cable: speed };
const begin = 1_790_000_000_000;

const amount = fc.integer({ min: 0, max: 50 * mega });
const minute = fc.record({ tx: amount, rx: amount });
const value: fc.Arbitrary<(before: number) => number | null> = fc.oneof(
  fc.constantFrom(
    () => 0,
    () => null,
    () => 2 ** 53 - 1,
    (before: number) => Math.floor(before / 2),
    (before: number) => before * 2,
    (before: number) => before + 2 ** 32,
    (before: number) => before % 2 ** 32,
  ),
  fc.integer({ min: 0, max: 2 ** 34 }).map((other) => () => other),
);
const alteration = fc.record({
  tx: fc.option(value),
  rx: fc.option(value),
  connected: fc.option(
    fc.constantFrom<(before: number) => number | null>(
      () => null,
      () => 0,
      () => 30,
      (before) => before + 86_400,
    ),
    { freq: 3 },
  ),
  mac: fc.constantFrom(null, null, null, '3c22fb0000ff'),
  bssid: fc.constantFrom(null, null, null, '903cb30000ff'),
  listed: fc.constantFrom(true, true, true, false),
});

const observation = (tx: number, rx: number, connectedS: number): Observation => ({
  mac: '3c22fb000001',
  bssid: '903cb3000011',
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
  tx,
  rx,
  rssi: null,
  txRate: null,
  rxRate: null,
  packets: null,
});

test('one altered sighting of a client changes no total of bytes', () => {
  fc.assert(
    fc.property(
      fc.array(minute, { minLength: 6, maxLength: 10 }),
      fc.oneof(fc.integer({ min: 0, max: 2 ** 33 }), fc.integer({ min: 2 ** 40, max: 2 ** 41 })),
      fc.integer({ min: 600, max: 5 * mega }),
      alteration,
      fc.nat(),
      (life, base, connected, change, which) => {
        const presence = emptyPresence();
        const seen = new Set<Session>();
        const altered = 1 + (which % (life.length - 4));
        const now = { tx: base, rx: base };
        const truth = { tx: 0, rx: 0 };
        for (const [minutes, flow] of life.entries()) {
          now.tx += flow.tx;
          now.rx += flow.rx;
          if (minutes > 0) {
            truth.tx += flow.tx;
            truth.rx += flow.rx;
          }
          const real = observation(now.tx, now.rx, connected + minutes * 60);
          const reported: Observation = {
            ...real,
            tx: change.tx ? change.tx(now.tx) : now.tx,
            rx: change.rx ? change.rx(now.rx) : now.rx,
            connectedS:
              change.connected && !change.mac && !change.bssid ? change.connected(real.connectedS!) : real.connectedS,
            mac: change.mac ?? real.mac,
            bssid: change.bssid ?? real.bssid,
          };
          const observations = minutes !== altered ? [real] : change.listed ? [reported] : [];
          const at = begin + minutes * 60_000;
          applyAssociations(presence, {
            observations,
            at,
            localtimeS: at / 1000,
            verdict: minutes === 0 ? 'first' : 'next',
            before: minutes === 0 ? null : at - 60_000,
            wired: null,
            speeds: { ...unknownSpeeds, ...speeds },
          });
          for (const session of presence.open.values()) seen.add(session);
        }
        const sum = (of: (session: Session) => number) => [...seen].reduce((total, session) => total + of(session), 0);
        const shares = (of: 'down' | 'up') =>
          sum((session) => session.shares.reduce((total, share) => total + share[of], 0));
        expect([sum(({ down }) => down), sum(({ up }) => up)]).toEqual([truth.tx, truth.rx]);
        expect([shares('down'), shares('up')]).toEqual([truth.tx, truth.rx]);
      },
    ),
    runs(300, 1500),
  );
});
