import type { Association, CaptiveGuest, State } from '@yunxun/contract/device';
import { describe, expect, it } from 'vitest';
import { factoryConfigurations } from './box/defaults.ts';
import { livePast, pastPace } from './history.ts';
import { planFleet } from './plan.ts';
import { wirelessDocument } from './testing.ts';

const hour = 3_600_000;
const minute = 60_000;

interface Look {
  terminals: number;
  fiveGhz: number;
  weak: number;
  macs: ReadonlySet<string>;
}

function lookAt(states: readonly State[]): Look {
  const seen = states.flatMap((state) =>
    (state.interfaces ?? []).flatMap(({ ssids = [] }) =>
      ssids.flatMap(({ associations = [], band }) =>
        associations.map(({ station, rssi }: Association) => ({ station, rssi: rssi ?? 0, band })),
      ),
    ),
  );
  return {
    terminals: seen.length,
    fiveGhz: seen.filter(({ band }) => band === '5G').length,
    weak: seen.filter(({ rssi }) => rssi <= -75).length,
    macs: new Set(seen.map(({ station }) => station ?? '')),
  };
}

describe.each([
  ['hotel', 13],
  ['hotel', 2],
  ['shop', 9],
  ['shop', 14],
  ['office', 3],
  ['office', 13],
] as const)('the past of the %s until %i:00 UTC', (kind, until) => {
  const untilMs = Date.UTC(2026, 10, 22, until);
  const plan = { kind, seed: kind, aps: 8, gateways: 1, switches: 1, hoursEast: 8, peoplePerAp: 14, portal: true };
  const ssids = [
    { name: 'Corp', open: false },
    { name: 'Guest', open: true },
  ];
  const reported = [...livePast({ ...plan, ssids, fromMs: untilMs - 30 * hour, untilMs })].flat();
  const reports = reported.filter(({ method }) => method === 'state');
  const lastly = reports.filter(({ at }) => at > untilMs - 5 * minute).map(({ params }) => params.state as State);
  const known = new Set(
    lookAt(reports.filter(({ at }) => at > untilMs - 24 * hour).map(({ params }) => params.state as State)).macs,
  );

  it('goes on in a fleet that begins there: as many terminals, on the same bands, the same people', () => {
    const { boxes, places } = planFleet({ ...plan, startMs: untilMs, speedUp: pastPace });
    for (const box of boxes) {
      box.boot(untilMs);
      const { role } = box.hardware;
      box.apply(box.wireless ? wirelessDocument(2) : factoryConfigurations[role]);
      box.goOnAir();
    }
    const before = lookAt(lastly);
    for (const minutes of [1, 10]) {
      for (const place of places) place.advance(untilMs + minutes * minute);
      const now = lookAt(boxes.map((box) => box.state(untilMs + minutes * minute)));
      expect(Math.abs(now.terminals - before.terminals), 'terminals').toBeLessThanOrEqual(16);
      expect(Math.abs(now.fiveGhz - before.fiveGhz), 'on 5 GHz').toBeLessThanOrEqual(20);
      expect(Math.abs(now.weak - before.weak), 'weak').toBeLessThanOrEqual(5);
      expect([...now.macs].filter((mac) => known.has(mac)).length / now.terminals).toBeGreaterThan(0.85);
    }
  });

  it('has guests that the portal has let through, by a made-up number, and some that it has not', () => {
    const guests = lastly.flatMap(({ captive = {} }): CaptiveGuest[] => Object.values(captive));
    const through = guests.filter(({ status }) => status === 'Authenticated');
    expect(through.length).toBeGreaterThan(0);
    expect(through.length).toBeLessThan(guests.length);
    for (const { username } of through) expect(username).toMatch(/^1380013\d{4}$/);
    for (const { status, username } of guests) if (status === 'Garden') expect(username).toBeUndefined();
  });
});
