import { configuration } from '@yunxun/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Invalid } from '../../platform/failure.ts';
import { anySettings } from '../configuration/compile/testing/gateway.ts';
import { checkGateway } from '../configuration/gateway-check.ts';
import { bandsNamed, onBands, usualBands } from './band-map.ts';
import { difference, fingerprintOf, merged, shown, textOf } from './content.ts';
import { onPorts, portsNamed, usualMap } from './port-map.ts';

type Content = Parameters<typeof textOf>[0];

const key = fc.constantFrom('welcome-2026', 'another-2026', 'last-years-2025');
const ssid = fc.record({
  id: fc.uuid(),
  enabled: fc.boolean(),
  name: fc.constantFrom('Lobby', 'Guests', 'Pier', 'Office'),
  security: fc.constantFrom(...configuration.keyedSecurities),
  key,
  bands: fc.uniqueArray(fc.constantFrom(...configuration.bands), { minLength: 1 }),
  vlan: fc.option(fc.integer({ min: 2, max: 4050 })),
  hidden: fc.boolean(),
  isolate: fc.boolean(),
  maximum_clients: fc.constant(null),
  down_mbps: fc.constant(null),
  up_mbps: fc.constant(null),
});
const radios = fc.uniqueArray(
  fc.record({
    band: fc.constantFrom(...configuration.bands),
    enabled: fc.option(fc.boolean()),
    channel: fc.constant(null),
    width: fc.constant(null),
    mode: fc.constant(null),
    power: fc.option(fc.constantFrom(...configuration.powerLevels)),
  }),
  { selector: ({ band }) => band },
);
const wireless = fc.record({
  country: fc.option(fc.constantFrom('CN', 'DE')),
  ssids: fc.uniqueArray(ssid, { maxLength: 4, selector: ({ name }) => name }),
  radios,
});
const device = fc.record({
  serial: fc.constantFrom('0000000000a1', '0000000000b2', '0000000000c3'),
  name: fc.constantFrom('AP-1', 'AP-2'),
  kind: fc.constant('ap' as const),
  radios,
  ssids_off: fc.array(fc.uuid(), { maxLength: 2 }),
  lan_address: fc.option(fc.constantFrom('192.168.1.1/24', '10.0.0.1/24')),
});
const content: fc.Arbitrary<Content> = fc.record({
  format: fc.constant(1 as const),
  wireless: fc.option(wireless),
  gateway: fc.option(anySettings),
  devices: fc.uniqueArray(device, { selector: ({ serial }) => serial }),
});

describe('what two backups differ in', () => {
  it('is nothing exactly when they are the same to the byte', () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        expect(difference(one, structuredClone(one))).toEqual({ changes: [], more: 0 });
        const same = fingerprintOf(textOf(one)) === fingerprintOf(textOf(other));
        const byOrder = textOf({ ...one, devices: one.devices.toSorted(bySerial) });
        const sameSet = byOrder === textOf({ ...other, devices: other.devices.toSorted(bySerial) });
        if (same || sameSet) expect(difference(one, other).changes).toEqual([]);
        else expect(difference(one, other).changes.length).toBeGreaterThan(0);
      }),
    );
  });

  it('is nothing from what was restored to what is in force then', () => {
    fc.assert(
      fc.property(content, content, (now, held) => {
        const after = merged(now, held, ['wireless', 'gateway', 'devices']);
        const wanted = { ...held, wireless: held.wireless ?? now.wireless, gateway: held.gateway ?? now.gateway };
        expect(difference(after, wanted).changes).toEqual([]);
        expect(merged(now, held, ['devices'])).toMatchObject({ wireless: now.wireless, gateway: now.gateway });
      }),
    );
  });

  it('never says a key, and that one is another is said', () => {
    fc.assert(
      fc.property(content, key, (one, other) => {
        const turned = structuredClone(one);
        for (const each of turned.wireless?.ssids ?? []) each.key = other;
        const text = JSON.stringify([difference(one, turned), shown(one)]);
        expect(text).not.toMatch(/welcome-2026|another-2026|last-years-2025/);
        const changed = (one.wireless?.ssids ?? []).filter((each) => each.key !== other);
        expect(difference(one, turned).changes).toHaveLength(changed.length);
      }),
    );
  });
});

describe('settings on other ports', () => {
  const accepted = anySettings.filter(isAccepted);
  const box = fc.constantFrom(
    ['WAN1', 'LAN1'],
    ['WAN1', 'WAN2', 'LAN1'],
    ['WAN1', 'WAN2', 'LAN1', 'LAN2', 'LAN3', 'LAN4'],
    ['WAN3', 'LAN7'],
  );

  it('name only ports that are there, each once, and are accepted again as long as a line is left', () => {
    fc.assert(
      fc.property(accepted, box, (settings, there) => {
        const map = usualMap(portsNamed(settings), there);
        const taken = map.flatMap(({ to }) => (to === null ? [] : [to]));
        expect(new Set(taken).size).toBe(taken.length);
        const { settings: moved } = onPorts(settings, map);
        for (const port of portsNamed(moved)) expect(there).toContain(port);
        if (moved.lines.length > 0) checkGateway(moved);
      }),
    );
  });

  it('are the same settings where the same ports exist, or are unknown', () => {
    fc.assert(
      fc.property(accepted, (settings) => {
        for (const there of [[], portsNamed(settings)])
          expect(onPorts(settings, usualMap(portsNamed(settings), there))).toEqual({ settings, dropped: [] });
      }),
    );
  });

  it('say each line and network that has no place', () => {
    fc.assert(
      fc.property(accepted, box, (settings, there) => {
        const { settings: moved, dropped } = onPorts(settings, usualMap(portsNamed(settings), there));
        const countOf = (what: string) => dropped.filter((one) => one.what === what).length;
        expect(countOf('line_dropped')).toBe(settings.lines.length - moved.lines.length);
        expect(countOf('network_dropped')).toBe(settings.networks.length - moved.networks.length);
        expect(countOf('forward_dropped')).toBe(settings.forwards.length - moved.forwards.length);
        expect(countOf('route_dropped')).toBe(settings.routes.length - moved.routes.length);
        expect(countOf('limit_dropped')).toBe(settings.limits.length - moved.limits.length);
      }),
    );
  });
});

describe('wireless on other bands', () => {
  const air = fc.subarray([...configuration.bands], { minLength: 1 });

  it('names only bands that are there, and no SSID is lost by that', () => {
    fc.assert(
      fc.property(content, air, (held, there) => {
        const map = usualBands(bandsNamed(held), there);
        const { wireless: moved, devices, dropped } = onBands(held, map);
        expect(moved?.ssids.map(({ name }) => name)).toEqual(held.wireless?.ssids.map(({ name }) => name));
        for (const { bands } of moved?.ssids ?? []) {
          expect(there).toEqual(expect.arrayContaining(bands));
          expect(new Set(bands).size).toBe(bands.length);
        }
        expect(dropped.filter(({ what }) => what === 'ssid_dropped')).toEqual([]);
        for (const { radios: own } of [...(moved ? [moved] : []), ...devices])
          for (const radio of own) if (saysSomething(radio)) expect(there).toContain(radio.band);
      }),
    );
  });

  it('is the same where the same bands exist, or are unknown', () => {
    fc.assert(
      fc.property(content, (held) => {
        const named = bandsNamed(held);
        for (const there of [[], [...configuration.bands]]) {
          const { wireless: moved, devices, dropped } = onBands(held, usualBands(named, there));
          expect({ wireless: moved, devices, dropped }).toEqual({
            wireless: held.wireless,
            devices: held.devices,
            dropped: [],
          });
        }
      }),
    );
  });

  it('says each SSID and each radio that has no place', () => {
    fc.assert(
      fc.property(content, air, (held, there) => {
        const map = bandsNamed(held).map((from) => ({ from, to: there.includes(from) ? from : null }));
        const { wireless: moved, devices, dropped } = onBands(held, map);
        const countOf = (what: string) => dropped.filter((one) => one.what === what).length;
        expect(countOf('ssid_dropped')).toBe((held.wireless?.ssids.length ?? 0) - (moved?.ssids.length ?? 0));
        const count = (wireless: typeof moved, list: typeof devices) =>
          [...(wireless?.radios ?? []), ...list.flatMap((one) => one.radios)].filter(saysSomething).length;
        expect(countOf('radio_dropped')).toBe(count(held.wireless, held.devices) - count(moved, devices));
      }),
    );
  });
});

function saysSomething({ enabled, power }: configuration.RadioSettings): boolean {
  return enabled !== null || power !== null;
}

function isAccepted(settings: NonNullable<Content['gateway']>): boolean {
  try {
    checkGateway(settings);
    return true;
  } catch (error) {
    if (error instanceof Invalid) return false;
    throw error;
  }
}

function bySerial(a: { serial: string }, b: { serial: string }): number {
  return a.serial < b.serial ? -1 : 1;
}
