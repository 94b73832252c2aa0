import { expect, it } from 'vitest';
import {
  decideWaveStart,
  type EndedItem,
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
  seq: 0,
  wave,
  status,
  finished_at: ['queued', 'running', 'waiting_offline'].includes(status) ? null : finished_at,
});

const waits = (wave: number, reason: string): EndedItem => ({ ...item(wave, 'waiting_offline'), reason });

it('does not let devices that wait hold up a planned wave', () => {
  const counts = [count(0, 'waiting_offline'), count(0, 'applied'), count(1, 'queued')];
  expect(nextWaveTurn(counts, plan)).toEqual({ wave: 1, stopped: false });
  expect(nextWaveTurn([count(0, 'waiting_offline')], plan)).toBeNull();
  expect(nextWaveTurn([count(0, 'queued'), count(1, 'running')], plan)).toEqual({ wave: 0, stopped: false });
});

it.each<[string, EndedItem[], ReturnType<typeof decideWaveStart>]>([
  ['the first wave starts at once', [item(0, 'queued'), item(1, 'queued')], { open: true }],
  ['a started wave continues', [item(0, 'applied'), item(1, 'running'), item(1, 'queued')], { open: true }],
  ['the next wave waits for the rest time', [item(0, 'applied'), item(1, 'queued')], { open: false, until: later }],
  [
    'the rest time counts from the last result',
    [item(0, 'applied', later), item(0, 'failed'), item(1, 'queued')],
    { open: false, until: new Date(later.getTime() + 60_000) },
  ],
  [
    'skipped items do not count',
    [item(0, 'skipped', later), item(0, 'applied'), item(1, 'queued')],
    { open: false, until: later },
  ],
  ['no canary needed a change', [item(0, 'skipped'), item(1, 'queued')], { open: false, vacancy: 'left_out' }],
  [
    'no canary is online',
    [item(0, 'skipped'), waits(0, 'job.offline'), item(1, 'queued')],
    { open: false, vacancy: 'away' },
  ],
  [
    'a canary may have received the command',
    [waits(0, 'job.offline'), waits(0, 'job.answer_lost'), item(1, 'queued')],
    { open: false, until: null },
  ],
  [
    'a canary is upgrading',
    [item(0, 'skipped'), waits(0, 'job.upgrading'), item(1, 'queued')],
    { open: false, until: null },
  ],
  [
    'some items of the next wave were cancelled',
    [item(0, 'applied'), item(1, 'cancelled'), item(1, 'queued')],
    { open: false, until: later },
  ],
])('%s', (_what, items, gate) => {
  expect(decideWaveStart(items, 1 - Number(_what.startsWith('the first')), plan)).toEqual(gate);
});

it('starts the next wave after skipped items when no canary is required', () => {
  const items = [item(0, 'skipped'), item(1, 'queued')];
  expect(decideWaveStart(items, 1, { ...plan, first: 0 })).toEqual({ open: true });
  expect(
    decideWaveStart([item(0, 'skipped'), waits(0, 'job.offline'), item(1, 'queued')], 1, { ...plan, first: 0 }),
  ).toEqual({
    open: false,
    vacancy: 'away',
  });
});

it('replaces canaries that proved nothing, online devices first', () => {
  const items = [item(0, 'skipped'), item(2, 'queued'), item(1, 'queued'), item(1, 'queued'), item(1, 'cancelled')].map(
    (one, seq) => ({ ...one, seq }),
  );
  const promoted = (vacancy: 'left_out' | 'away', online: number[], first?: number) =>
    promoteCanaries(items, 1, first === undefined ? plan : { ...plan, first }, {
      vacancy,
      online: new Set(online),
    }).map(({ seq }) => seq);
  expect(promoted('left_out', [1, 2, 3], 2)).toEqual([2, 3]);
  expect(promoted('left_out', [1, 3], 2)).toEqual([3, 1]);
  expect(promoted('left_out', [1, 2, 3])).toEqual([2]);
  expect(promoted('away', [1], 2)).toEqual([1]);
  expect(promoted('away', [1, 2], 0)).toEqual([2]);
  // waits without an online candidate
  expect(promoted('left_out', [], 2)).toEqual([2, 3]);
  expect(promoted('away', [], 2)).toEqual([]);
});

it('stops a plan above its share of failed and unhealthy devices, and names them', () => {
  const items = [item(0, 'applied'), item(0, 'applied'), item(0, 'applied'), item(0, 'applied'), item(1, 'queued')].map(
    (one, seq) => ({ ...one, seq }),
  );
  const unhealthy = (...seqs: number[]) => new Map(seqs.map((seq) => [seq, 'job.unwell_offline']));
  expect(succeededBefore(items, 1).map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  expect(stopOf(items, 1, unhealthy(), plan)).toBeNull();
  expect(stopOf(items, 1, unhealthy(2), plan)).toEqual({
    wave: 1,
    decided: 4,
    bad: 0,
    unwell: [{ seq: 2, reason: 'job.unwell_offline' }],
  });
  expect(stopOf(items, 1, unhealthy(2), { ...plan, stopAbove: 25 })).toBeNull();
  expect(
    stopOf([...items, { ...item(0, 'rejected'), seq: 5 }], 1, unhealthy(2), { ...plan, stopAbove: 30 }),
  ).toMatchObject({
    decided: 5,
    bad: 1,
  });
  // a skipped item does no harm
  expect(stopOf([...items, { ...item(0, 'skipped'), seq: 5 }], 1, unhealthy(2), plan)).toMatchObject({ decided: 4 });
});

it('waits for devices of the earlier wave that are upgrading, not for offline ones', () => {
  const at = new Date(0);
  const ended: EndedItem = { seq: 0, wave: 0, status: 'succeeded', finished_at: at };
  const other: EndedItem = { seq: 1, wave: 0, status: 'waiting_offline', reason: 'job.upgrading', finished_at: null };
  const next: EndedItem = { seq: 2, wave: 1, status: 'queued', finished_at: null };
  const plan = { restSeconds: 5, stopAbove: 0 };
  expect(decideWaveStart([ended, other, next], 1, plan)).toEqual({ open: false, until: null });
  const away = { ...other, reason: 'job.offline' };
  expect(decideWaveStart([ended, away, next], 1, plan)).toEqual({ open: false, until: new Date(5000) });
});
