import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../../../tools/property-runs.ts';
import { addDays, dayOf, startOfDay } from '../../../platform/calendar.ts';
import { liabilityAt, type Sold } from './liability.ts';

const zones = ['Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu'];
const dayMs = 86_400_000;

it('earns a long package in full, day by day, in any zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 45_000, max: 200_000 }),
      fc.integer({ min: 0, max: 400 * 1440 }),
      (zone, fen, minutes, offset) => {
        const startedAt = new Date(Date.UTC(2026, 8, 1) + offset * 60_000);
        const endsAt = new Date(startedAt.getTime() + minutes * 60_000);
        const terms = { minutes, valid_days: 400 };
        const sold: Sold = { fen, isCard: false, usedAt: null, startedAt, endsAt, closedAt: null, terms };
        const first = dayOf(startedAt, zone);
        const at = (day: string) => liabilityAt(sold, { day, end: startOfDay(addDays(day, 1), zone), zone });
        expect(at(addDays(first, -1))).toBe(fen);
        let before = fen;
        let day = first;
        const daily: number[] = [];
        for (; before > 0; day = addDays(day, 1)) {
          const left = at(day);
          daily.push(before - left);
          before = left;
        }
        expect(Math.max(...daily) - Math.min(...daily)).toBeLessThanOrEqual(1);
        expect(daily.length).toBeLessThanOrEqual(Math.ceil((endsAt.getTime() - startedAt.getTime()) / dayMs) + 1);
        expect(daily.reduce((sum, one) => sum + one, 0)).toBe(fen);
        expect(liabilityAt({ ...sold, closedAt: startedAt }, { day, end: endsAt, zone })).toBe(0);
      },
    ),
    runs(60, 1000),
  );
});
