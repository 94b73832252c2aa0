import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf } from '../../platform/calendar.ts';
import { type Kept, kept, weekOf } from './retention.ts';

const zone = fc.constantFrom('Asia/Shanghai', 'UTC', 'America/Los_Angeles');
const begin = Date.parse('2025-01-01T00:00:00Z');
const backups = fc
  .array(fc.record({ minute: fc.nat({ max: 2 * 365 * 24 * 60 }), pinned: fc.boolean() }), { maxLength: 300 })
  .map((list) =>
    list.map(({ minute, pinned }, at): Kept => {
      const id = String(at).padStart(4, '0');
      return { id, at: new Date(begin + minute * 60_000), pinned: pinned && at % 7 === 0 };
    }),
  );
const oldestFirst = (list: readonly Kept[]) =>
  list.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));

describe('what is kept of backups', () => {
  it('is every pinned one, the newest thirty, and no more than thirty and twelve and twelve others', () => {
    fc.assert(
      fc.property(backups, zone, (list, where) => {
        const ids = kept(list, where);
        const loose = oldestFirst(list).filter(({ pinned }) => !pinned);
        for (const one of list) if (one.pinned) expect(ids).toContain(one.id);
        for (const one of loose.slice(-30)) expect(ids).toContain(one.id);
        expect(loose.filter(({ id }) => ids.has(id)).length).toBeLessThanOrEqual(54);
      }),
    );
  });

  it('is the same whether one prunes after each backup or once at the end', () => {
    fc.assert(
      fc.property(backups, zone, (list, where) => {
        let left: Kept[] = [];
        for (const one of oldestFirst(list)) {
          const with_ = [...left, one];
          const ids = kept(with_, where);
          left = with_.filter(({ id }) => ids.has(id));
        }
        expect(new Set(left.map(({ id }) => id))).toEqual(kept(list, where));
      }),
      { numRuns: 30 },
    );
  });

  it('has the last of each of the last twelve weeks and months that have any', () => {
    fc.assert(
      fc.property(backups, zone, (list, where) => {
        const ids = kept(list, where);
        const loose = oldestFirst(list).filter(({ pinned }) => !pinned);
        for (const group of [(day: string) => weekOf(day), (day: string) => day.slice(0, 7)]) {
          const last = new Map(loose.map((one) => [group(dayOf(one.at, where)), one.id]));
          for (const id of [...last.values()].slice(-12)) expect(ids).toContain(id);
        }
      }),
    );
  });

  it('counts weeks from Monday', () => {
    expect(weekOf('2026-11-22')).toBe('2026-11-16');
    expect(weekOf('2026-11-16')).toBe('2026-11-16');
    expect(weekOf('1969-12-31')).toBe('1969-12-29');
  });
});
