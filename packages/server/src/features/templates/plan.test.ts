import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ManagedDevice } from '../fleet/index.ts';
import { planDevices } from './plan.ts';
import type { Target } from './targets.ts';

const target = (at: number, online: boolean, model = 'A', gwid = 'shop'): Target => {
  const device = { serial: at.toString(), status: online ? 'online' : 'offline', model } as ManagedDevice;
  return { device, scope: 'network', ref: gwid };
};

it('puts offline devices last, in waves of the same size', () => {
  const shops = Array.from({ length: 500 }, (_, at) => target(at, at % 10 === 0));
  const all = planDevices(shops, { canary: 2, share: 25 });
  const sizes = [0, 1, 2, 3, 4, 5].map((wave) => all.filter((one) => one.wave === wave).length);
  expect(sizes).toEqual([2, 125, 125, 125, 123, 0]);
  expect(all.slice(0, 50).every(({ device }) => device.status === 'online')).toBe(true);
});

it('chooses canaries of as many models as possible when all devices are offline', () => {
  const dark = ['A', 'A', 'A', 'B', 'A'].map((model, at) => target(at, false, model));
  const all = planDevices(dark, { canary: 2, share: 100 });
  expect(all.filter(({ wave }) => wave === 0).map(({ device }) => device.model)).toEqual(['A', 'B']);
});

it('assigns the network with the last device of each network', () => {
  const place = fc.constantFrom('shop', 'hotel', 'school');
  const devices = fc.array(fc.tuple(place, fc.boolean()), { maxLength: 30 });
  fc.assert(
    fc.property(devices, fc.nat({ max: 5 }), fc.integer({ min: 1, max: 100 }), (given, canary, share) => {
      const all = planDevices(
        given.map(([gwid, online], at) => target(at, online, 'A', gwid)),
        { canary, share },
      );
      for (const gwid of new Set(given.map(([name]) => name))) {
        const own = all.filter(({ ref }) => ref === gwid);
        expect(own.map(({ assignsScope }) => assignsScope)).toEqual(own.map((_, at) => at === own.length - 1));
      }
    }),
  );
});
