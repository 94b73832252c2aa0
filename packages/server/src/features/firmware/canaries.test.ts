import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inTurn } from './canaries.ts';

const device = fc.record({ model: fc.constantFrom('A', 'B', 'C', null), online: fc.boolean() });
const fleet = fc.array(device, { maxLength: 40 });
const first = fc.nat({ max: 10 });

it('leaves nobody out and nobody twice', () => {
  fc.assert(
    fc.property(fleet, first, (devices, n) => {
      const ordered = inTurn(devices, n);
      expect(ordered).toHaveLength(devices.length);
      expect(new Set(ordered)).toEqual(new Set(devices));
    }),
  );
});

it('has those that are there first, and among the first as many models as can be', () => {
  fc.assert(
    fc.property(fleet, first, (devices, n) => {
      const ordered = inTurn(devices, n);
      const there = devices.filter(({ online }) => online);
      expect(ordered.slice(0, there.length).every(({ online }) => online)).toBe(true);
      const canaries = ordered.slice(0, Math.min(n, there.length));
      const models = new Set(there.map(({ model }) => model));
      expect(new Set(canaries.map(({ model }) => model)).size).toBe(Math.min(models.size, canaries.length));
    }),
  );
});

it('keeps the order within a model, and all of it where nothing is to be first', () => {
  fc.assert(
    fc.property(fleet, first, (devices, n) => {
      const mine = (list: readonly { model: string | null; online: boolean }[]) =>
        list.filter(({ model, online }) => model === 'A' && online);
      expect(mine(inTurn(devices, n))).toEqual(mine(devices));
      expect(inTurn(devices, 0)).toEqual([
        ...devices.filter(({ online }) => online),
        ...devices.filter(({ online }) => !online),
      ]);
    }),
  );
});
