import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assignWaves, countByWave, waveSizes } from './rollout-waves.ts';

const device = fc.record({ model: fc.constantFrom('A', 'B', 'C', null), online: fc.boolean() });
const fleet = fc
  .array(device, { maxLength: 60 })
  .map((devices) => devices.map((one, at) => ({ ...one, serial: at.toString() })));
const sizes = fc.record({ first: fc.nat({ max: 10 }), percent: fc.integer({ min: 1, max: 100 }) });
const bare = ({ wave: _wave, ...one }: { wave: number; serial: string }) => one;

it('assigns every device to exactly one wave', () => {
  fc.assert(
    fc.property(fleet, sizes, (devices, plan) => {
      const all = assignWaves(devices, plan);
      const bySerial = (a: { serial: string }, b: { serial: string }) => Number(a.serial) - Number(b.serial);
      expect(all.map(bare).toSorted(bySerial)).toEqual(devices);
    }),
  );
});

it('keeps every wave within its share, whichever devices are offline', () => {
  fc.assert(
    fc.property(fleet, sizes, (devices, { first, percent }) => {
      const all = assignWaves(devices, { first, percent });
      const share = Math.max(1, Math.ceil((devices.length * percent) / 100));
      const rest = Math.max(0, devices.length - first);
      const full = Math.floor(rest / share);
      expect(countByWave(all)).toEqual([
        ...[Math.min(first, devices.length)].filter(Boolean),
        ...Array<number>(full).fill(share),
        ...[rest - full * share].filter(Boolean),
      ]);
      expect(all.map(({ wave }) => wave)).toEqual(all.map(({ wave }) => wave).toSorted((a, b) => a - b));
    }),
  );
  const shops = Array.from({ length: 500 }, (_, at) => ({ model: 'A', online: at < 50 }));
  expect(countByWave(assignWaves(shops, { first: 2, percent: 25 }))).toEqual([2, 125, 125, 125, 123]);
  const dark = shops.map((one) => ({ ...one, online: false }));
  expect(countByWave(assignWaves(dark, { first: 2, percent: 25 }))).toEqual([2, 125, 125, 125, 123]);
  expect(countByWave(assignWaves(dark, { first: 0, percent: 100 }))).toEqual([500]);
});

it('puts online devices first, and covers as many models as possible in the first wave', () => {
  fc.assert(
    fc.property(fleet, sizes, (devices, plan) => {
      const all = assignWaves(devices, plan);
      const there = devices.filter(({ online }) => online);
      expect(all.slice(0, there.length).every(({ online }) => online)).toBe(true);
      const many = (model: string | null) => there.filter((one) => one.model === model).length;
      const models = [...new Set(there.map(({ model }) => model))];
      const first = all.slice(0, Math.min(plan.first, there.length));
      expect(new Set(first.map(({ model }) => model)).size).toBe(Math.min(models.length, first.length));
      const shown = first.slice(0, models.length).map(({ model }) => many(model));
      expect(shown).toEqual(shown.toSorted((a, b) => b - a));
    }),
  );
});

it('keeps the order within a model', () => {
  fc.assert(
    fc.property(fleet, sizes, (devices, plan) => {
      const mine = <T extends { model: string | null; online: boolean }>(list: readonly T[]) =>
        list.filter(({ model, online }) => model === 'A' && online);
      expect(mine(assignWaves(devices, plan)).map(bare)).toEqual(mine(devices));
    }),
  );
});

it('upgrades agents in waves of one, a tenth, and the rest', () => {
  expect(
    [0, 1, 2, 4, 30].map((total) => [0, 1, 2].map((wave) => waveSizes(total).filter((one) => one === wave).length)),
  ).toEqual([
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
    [1, 1, 2],
    [1, 3, 26],
  ]);
  fc.assert(
    fc.property(fc.nat({ max: 2000 }), (total) => {
      const waves = waveSizes(total);
      expect(waves).toHaveLength(total);
      expect(waves.toSorted((a, b) => a - b)).toEqual(waves);
    }),
  );
});
