import { describe, expect, it } from 'vitest';
import { bucketLength, floorTo, hour } from '../layers.ts';
import { seeded } from '../testing/samples.ts';
import { type Marks, type Piece, piecesOf } from './pieces.ts';

const day = 24 * hour;
const base = Date.parse('2026-11-21T00:00:00Z');

function marksOf(random: () => number): Marks {
  const fine = floorTo(bucketLength, new Date(base + Math.floor(random() * day)));
  const until = { '5m': fine, '1h': floorTo(hour, fine), '1d': floorTo(day, fine) };
  const late = [1, 2, 3].map(() => floorTo(bucketLength, new Date(+fine - Math.floor(random() * day))));
  const kept = { '5m': new Date(base - 2 * day), '1h': new Date(base - 5 * day) };
  return { until, kept, late: [...new Map(late.map((time) => [+time, time])).values()].toSorted((a, b) => +a - +b) };
}

const lengths = { reports: bucketLength, '5m': bucketLength, '1h': hour, '1d': day } as const;

const ordered = (pieces: readonly Piece[]) => pieces.toSorted((a, b) => +a.from - +b.from);

describe.each(['5m', '1h', '1d'] as const)('in steps of %s', (coarsest) => {
  it('covers every span once, by whole stored buckets', () => {
    const random = seeded(coarsest.length * 31);
    for (let round = 0; round < 300; round++) {
      const marks = marksOf(random);
      const [from, to] = [random(), random()].toSorted().map((part) => new Date(base - 8 * day + part * 9 * day));
      const pieces = ordered(piecesOf([{ from: from!, to: to! }], marks, coarsest));
      for (const { source, from: begin, to: end } of pieces) {
        expect(+begin % lengths[source]).toBe(0);
        expect(+end % lengths[source]).toBe(0);
        const rolled = source === 'reports' || end <= marks.until[source];
        expect(rolled).toBe(true);
        if (source === '5m' && coarsest !== '5m') expect(+begin).toBeGreaterThanOrEqual(+marks.kept['5m']);
        const late = marks.late.some((bucket) => bucket >= begin && bucket < end);
        if (source !== 'reports') expect(late).toBe(false);
      }
      for (const [index, piece] of pieces.slice(1).entries()) expect(+piece.from).toBe(+pieces[index]!.to);
      if (from! >= marks.kept['5m'] && pieces.length > 0) {
        expect([+pieces[0]!.from, +pieces.at(-1)!.to]).toEqual([
          +floorTo(bucketLength, from!),
          +floorTo(bucketLength, to!),
        ]);
      }
    }
  });

  it('shares everything between stretches that lie side by side', () => {
    const random = seeded(5);
    for (let round = 0; round < 100; round++) {
      const marks = marksOf(random);
      const edges = [random(), random(), random(), random()]
        .toSorted()
        .map((part) => new Date(base - 8 * day + part * 9 * day));
      const whole = piecesOf([{ from: edges[0]!, to: edges[3]! }], marks, coarsest);
      const parts = piecesOf(
        [0, 1, 2].map((index) => ({ from: edges[index]!, to: edges[index + 1]! })),
        marks,
        coarsest,
      );
      const length = (pieces: readonly Piece[]) => pieces.reduce((sum, { from, to }) => sum + +to - +from, 0);
      expect(length(parts)).toBe(length(whole));
    }
  });
});
