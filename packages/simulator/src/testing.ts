import type { ConfigurationDocument } from '@yunxun/contract/device';
import { ManualClock } from '@yunxun/edge';
import type { Box } from './box/box.ts';
import { factoryConfigurations } from './box/defaults.ts';
import { planFleet } from './plan.ts';
import type { Place } from './world/place.ts';

export function wirelessDocument(uuid: number, names: readonly string[] = ['Corp', 'Guest']): ConfigurationDocument {
  const ssids = names.map((name) => ({
    name,
    'wifi-bands': ['2G', '5G'],
    'bss-mode': 'ap',
    encryption: { proto: 'psk2', key: 'correct horse' },
  }));
  return {
    uuid,
    radios: [
      { band: '2G', channel: 6, 'channel-width': 20 },
      { band: '5G', channel: 'auto', 'channel-width': 80 },
    ],
    interfaces: [
      {
        name: 'WAN',
        role: 'upstream',
        ethernet: [{ 'select-ports': ['WAN*'] }],
        ipv4: { addressing: 'dynamic' },
        ssids,
      },
    ],
    metrics: {
      statistics: { interval: 60, types: ['ssids', 'lldp', 'clients'] },
      health: { interval: 60 },
      realtime: { types: ['client', 'wired', 'wifi', 'unit'] },
    },
  };
}

export interface Workbench {
  clock: ManualClock;
  boxes: readonly Box[];
  places: readonly Place[];
  pass(minutes: number): void;
}

export const morning = Date.UTC(2026, 10, 20, 2);

export function workbench(
  counts: { aps?: number; gateways?: number; edges?: number; switches?: number; leastShare?: number },
  seed = 'test',
  at = morning,
): Workbench {
  const clock = new ManualClock(at);
  const { boxes, places } = planFleet({
    aps: counts.aps ?? 0,
    gateways: counts.gateways ?? 0,
    edges: counts.edges ?? 0,
    switches: counts.switches ?? 0,
    seed,
    startMs: at,
    speedUp: 1,
    hoursEast: 8,
    peoplePerAp: 22,
    leastShare: counts.leastShare,
  });
  for (const box of boxes) {
    const { role } = box.hardware;
    const { error } = box.apply(role === 'access-point' ? wirelessDocument(2) : factoryConfigurations[role]);
    if (error !== 0) throw new Error(`${role} refuses its own configuration`);
    box.goOnAir();
  }
  return {
    clock,
    boxes,
    places,
    pass(minutes) {
      clock.advance(minutes * 60_000);
      for (const place of places) place.advance(clock.now());
    },
  };
}
