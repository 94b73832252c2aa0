import { expect, it } from 'vitest';
import {
  type EndedItem,
  gateOf,
  nextWaveTurn,
  promoteCanaries,
  stopOf,
  succeededBefore,
  type WaveCount,
} from './waves.ts';

const count = (wave: number, status: WaveCount['status'], many = 1): WaveCount => ({ wave, status, count: many });

it.each<[string, WaveCount[], ReturnType<typeof nextWaveTurn>]>([
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
  expect(nextWaveTurn(counts)).toEqual(turn);
});

const plan = { restSeconds: 60, stopAbove: 20 };
const at = new Date('2026-03-02T08:00:00Z');
const later = new Date(at.getTime() + 60_000);
const item = (wave: number, status: EndedItem['status'], finished_at: Date | null = at): EndedItem => ({
  ...{ seq: 0, wave, status },
  finished_at: ['queued', 'running', 'waiting_offline'].includes(status) ? null : finished_at,
});

const waits = (wave: number, reason: string): EndedItem => ({ ...item(wave, 'waiting_offline'), reason });

it('a planned wave is held up by nobody who waits for a device', () => {
  const counts = [count(0, 'waiting_offline'), count(0, 'applied'), count(1, 'queued')];
  expect(nextWaveTurn(counts, plan)).toEqual({ wave: 1, stopped: false });
  expect(nextWaveTurn([count(0, 'waiting_offline')], plan)).toBeNull();
  expect(nextWaveTurn([count(0, 'queued'), count(1, 'running')], plan)).toEqual({ wave: 0, stopped: false });
});

it.each<[string, EndedItem[], ReturnType<typeof gateOf>]>([
  ['the first begins at once', [item(0, 'queued'), item(1, 'queued')], { open: true }],
  ['one that has begun goes on', [item(0, 'applied'), item(1, 'running'), item(1, 'queued')], { open: true }],
  ['the next waits for the rest', [item(0, 'applied'), item(1, 'queued')], { open: false, until: later }],
  [
    'the rest is counted from the last one',
    [item(0, 'applied', later), item(0, 'failed'), item(1, 'queued')],
    { open: false, until: new Date(later.getTime() + 60_000) },
  ],
  [
    'what was left out counts for nothing',
    [item(0, 'skipped', later), item(0, 'applied'), item(1, 'queued')],
    { open: false, until: later },
  ],
  ['nobody had to do anything', [item(0, 'skipped'), item(1, 'queued')], { open: false, vacancy: 'left_out' }],
  [
    'nobody is there',
    [item(0, 'skipped'), waits(0, 'job.offline'), item(1, 'queued')],
    { open: false, vacancy: 'away' },
  ],
  [
    'somebody may have been told',
    [waits(0, 'job.offline'), waits(0, 'job.answer_lost'), item(1, 'queued')],
    { open: false, until: null },
  ],
  [
    'somebody is about it',
    [item(0, 'skipped'), waits(0, 'job.upgrading'), item(1, 'queued')],
    { open: false, until: null },
  ],
  [
    'some of the next were cancelled before their turn',
    [item(0, 'applied'), item(1, 'cancelled'), item(1, 'queued')],
    { open: false, until: later },
  ],
])('%s', (_what, items, gate) => {
  expect(gateOf(items, 1 - Number(_what.startsWith('the first')), plan)).toEqual(gate);
});

it('where nobody has to prove anything, what was left out lets the next begin', () => {
  const items = [item(0, 'skipped'), item(1, 'queued')];
  expect(gateOf(items, 1, { ...plan, first: 0 })).toEqual({ open: true });
  expect(gateOf([item(0, 'skipped'), waits(0, 'job.offline'), item(1, 'queued')], 1, { ...plan, first: 0 })).toEqual({
    open: false,
    vacancy: 'away',
  });
});

it('the next in turn take the place of a first wave that proved nothing, those that are there before others', () => {
  const items = [item(0, 'skipped'), item(2, 'queued'), item(1, 'queued'), item(1, 'queued'), item(1, 'cancelled')].map(
    (one, seq) => ({ ...one, seq }),
  );
  const promoted = (vacancy: 'left_out' | 'away', there: number[], first?: number) =>
    promoteCanaries(items, 1, first === undefined ? plan : { ...plan, first }, { vacancy, there: new Set(there) }).map(
      ({ seq }) => seq,
    );
  expect(promoted('left_out', [1, 2, 3], 2)).toEqual([2, 3]);
  expect(promoted('left_out', [1, 3], 2)).toEqual([3, 1]);
  expect(promoted('left_out', [1, 2, 3])).toEqual([2]);
  expect(promoted('away', [1], 2)).toEqual([1]);
  expect(promoted('away', [1, 2], 0)).toEqual([2]);
  // waits without an online candidate
  expect(promoted('left_out', [], 2)).toEqual([2, 3]);
  expect(promoted('away', [], 2)).toEqual([]);
});

it('a plan stops above its share of bad and unwell devices, and says which', () => {
  const items = [item(0, 'applied'), item(0, 'applied'), item(0, 'applied'), item(0, 'applied'), item(1, 'queued')].map(
    (one, seq) => ({ ...one, seq }),
  );
  const unwell = (...seqs: number[]) => new Map(seqs.map((seq) => [seq, 'job.unwell_offline']));
  expect(succeededBefore(items, 1).map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  expect(stopOf(items, 1, unwell(), plan)).toBeNull();
  expect(stopOf(items, 1, unwell(2), plan)).toEqual({
    ...{ wave: 1, decided: 4, bad: 0 },
    unwell: [{ seq: 2, reason: 'job.unwell_offline' }],
  });
  expect(stopOf(items, 1, unwell(2), { ...plan, stopAbove: 25 })).toBeNull();
  expect(
    stopOf([...items, { ...item(0, 'rejected'), seq: 5 }], 1, unwell(2), { ...plan, stopAbove: 30 }),
  ).toMatchObject({
    ...{ decided: 5, bad: 1 },
  });
  // a skipped item does no harm
  expect(stopOf([...items, { ...item(0, 'skipped'), seq: 5 }], 1, unwell(2), plan)).toMatchObject({ decided: 4 });
});

it('a planned wave waits for devices of the one before that are about it, and for nobody who is away', () => {
  const at = new Date(0);
  const ended: EndedItem = { seq: 0, wave: 0, status: 'succeeded', finished_at: at };
  const other: EndedItem = { seq: 1, wave: 0, status: 'waiting_offline', reason: 'job.upgrading', finished_at: null };
  const next: EndedItem = { seq: 2, wave: 1, status: 'queued', finished_at: null };
  const plan = { restSeconds: 5, stopAbove: 0 };
  expect(gateOf([ended, other, next], 1, plan)).toEqual({ open: false, until: null });
  const away = { ...other, reason: 'job.offline' };
  expect(gateOf([ended, away, next], 1, plan)).toEqual({ open: false, until: new Date(5000) });
});
