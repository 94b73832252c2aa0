import { describe, expect, it } from 'vitest';
import { maySendAt } from './hours.ts';
import { verdictOf } from './verdict.ts';

const zone = 'Asia/Shanghai';
// a Monday; times below are local
const at = (local: string) => new Date(`2026-11-${local}:00+08:00`);
const night = { schedule: [{ days: [1], period: '22:00-06:00' }], quiet: null };
const always = { schedule: [], quiet: '23:00-07:00' };

describe('hours', () => {
  it.each([
    ['23T21:59', false],
    ['23T22:00', true],
    ['24T05:59', true],
    ['24T06:00', false],
    ['24T23:00', false],
    ['23T05:00', false],
  ])('a period over midnight belongs to the day it begins: %s', (local, open) => {
    expect(maySendAt(night, 'FATAL', at(local), zone)).toBe(open);
  });

  it.each([
    ['23T22:59', true],
    ['23T23:00', false],
    ['24T06:59', false],
    ['24T07:00', true],
  ])('quiet hours hold back other levels than FATAL: %s', (local, open) => {
    expect(maySendAt(always, 'MIDDLE', at(local), zone)).toBe(open);
    expect(maySendAt(always, 'FATAL', at(local), zone)).toBe(true);
  });

  it('has the hours of the account across a clock change', () => {
    const berlin = { schedule: [{ days: [7], period: '03:00-04:00' }], quiet: null };
    expect(maySendAt(berlin, 'FATAL', new Date('2026-03-29T01:30:00Z'), 'Europe/Berlin')).toBe(true);
    expect(maySendAt(berlin, 'FATAL', new Date('2026-03-29T02:30:00Z'), 'Europe/Berlin')).toBe(false);
  });
});

const firing = { state: 'firing', isFolded: false } as const;
const recovered = { state: 'recovered', isFolded: false } as const;

describe('verdict', () => {
  it.each([
    ['a first notice', firing, ['opened'], false, { send: 'opened' }],
    ['its recovery', recovered, ['recovered'], true, { send: 'recovered' }],
    ['what was over before it was sent', recovered, ['opened', 'recovered'], false, { drop: 'recovered' }],
    ['a recovery without a notified alarm', firing, ['recovered', 'opened'], true, { drop: 'known' }],
    ['the end of a silence, though known', firing, ['silence_ended'], true, { send: 'silence_ended' }],
    ['what a cause explains', { state: 'firing', isFolded: true }, ['opened'], false, { drop: 'folded' }],
    [
      'a folded one that was told recovers',
      { state: 'recovered', isFolded: true },
      ['recovered'],
      true,
      { send: 'recovered' },
    ],
    [
      'what a person has acknowledged',
      { state: 'acknowledged', isFolded: false },
      ['repeated'],
      true,
      { drop: 'acknowledged' },
    ],
  ] as const)('%s', (_title, incident, waiting, notified, verdict) => {
    expect(verdictOf(incident, waiting, notified)).toEqual(verdict);
  });
});
