import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inWaves, turnOf, type WaveCount } from './waves.ts';

const count = (wave: number, status: WaveCount['status'], many = 1): WaveCount => ({ wave, status, count: many });

it('waves are one, a tenth of all, and the rest, in order', () => {
  expect(
    [0, 1, 2, 4, 30].map((total) => [0, 1, 2].map((wave) => inWaves(total).filter((one) => one === wave).length)),
  ).toEqual([
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
    [1, 1, 2],
    [1, 3, 26],
  ]);
  fc.assert(
    fc.property(fc.nat({ max: 2000 }), (total) => {
      const waves = inWaves(total);
      expect(waves).toHaveLength(total);
      expect(waves.toSorted((a, b) => a - b)).toEqual(waves);
    }),
  );
});

it.each<[string, WaveCount[], ReturnType<typeof turnOf>]>([
  ['nothing is open', [count(0, 'succeeded'), count(1, 'failed')], null],
  ['a job without waves', [count(0, 'queued', 5), count(0, 'failed')], { wave: 0, stopped: false }],
  ['the first is under way', [count(0, 'running'), count(1, 'queued', 3)], { wave: 0, stopped: false }],
  ['the first waits for its device', [count(0, 'waiting_offline'), count(1, 'queued')], { wave: 0, stopped: false }],
  [
    'the first ended well',
    [count(0, 'succeeded'), count(0, 'skipped', 2), count(1, 'queued')],
    { wave: 1, stopped: false },
  ],
  ['the first proved nothing', [count(0, 'skipped', 2), count(1, 'queued')], { wave: 1, stopped: true }],
  [
    'one of the first failed',
    [count(0, 'succeeded', 9), count(0, 'failed'), count(1, 'queued')],
    { wave: 1, stopped: true },
  ],
  [
    'one of the first was cancelled',
    [count(0, 'succeeded'), count(0, 'cancelled'), count(1, 'queued')],
    { wave: 1, stopped: true },
  ],
  ['the second failed', [count(0, 'succeeded'), count(1, 'reverted'), count(2, 'queued')], { wave: 2, stopped: true }],
])('%s', (_what, counts, turn) => {
  expect(turnOf(counts)).toEqual(turn);
});
