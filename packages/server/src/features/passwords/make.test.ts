import type { passwords } from '@yunxun/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makePassword, nextChange } from './make.ts';

const plan = (more: Partial<passwords.PasswordPlan> = {}): passwords.PasswordPlan => ({
  cycle: 'daily',
  weekday: 3,
  month_day: 15,
  at: '04:30',
  length: 10,
  charset: 'mixed',
  prefix: '',
  quiet: [],
  notify: false,
  emails: [],
  ...more,
});

it('passwords have the length, the prefix and the characters that were asked for, and a key is never too short', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('digits', 'letters', 'mixed'),
      fc.integer({ min: 8, max: 32 }),
      fc.constantFrom('', 'shop-', 'a-prefix-of-16-c'),
      (charset, length, prefix) => {
        const made = makePassword({ charset, length, prefix });
        expect(made.startsWith(prefix)).toBe(true);
        expect(made.length).toBe(Math.max(length, prefix.length + 6));
        expect(made.slice(prefix.length)).toMatch(
          { digits: /^[2-9]+$/, letters: /^[a-z]+$/, mixed: /^[\w]+$/ }[charset],
        );
        expect(made.slice(prefix.length)).not.toMatch(/[0O1lI]/);
      },
    ),
  );
  expect(new Set(Array.from({ length: 50 }, () => makePassword(plan()))).size).toBe(50);
});

const shanghai = 'Asia/Shanghai';
// Monday noon in Shanghai
const monday = new Date('2026-03-02T04:00:00Z');

it.each<[string, Partial<passwords.PasswordPlan>, string]>([
  ['each day, at the time of the account', {}, '2026-03-02T20:30:00.000Z'],
  ['later on the same day', { at: '18:00' }, '2026-03-02T10:00:00.000Z'],
  ['on the weekday', { cycle: 'weekly' }, '2026-03-03T20:30:00.000Z'],
  ['on the day of the month', { cycle: 'monthly' }, '2026-03-14T20:30:00.000Z'],
  ['not in quiet hours, but at their end', { at: '12:30', quiet: ['09:00-18:00'] }, '2026-03-02T10:00:00.000Z'],
  ['at the end of hours over midnight', { at: '23:00', quiet: ['22:00-06:00'] }, '2026-03-02T22:00:00.000Z'],
  [
    'at the end of hours that follow each other',
    { at: '12:30', quiet: ['12:00-13:00', '13:00-14:00'] },
    '2026-03-02T06:00:00.000Z',
  ],
  [
    'as planned where quiet hours leave nothing',
    { at: '18:00', quiet: ['00:00-12:00', '12:00-00:00'] },
    '2026-03-02T10:00:00.000Z',
  ],
])('%s', (_what, more, at) => {
  expect(nextChange(plan(more), monday, shanghai).toISOString()).toBe(at);
});

it.each([
  ['2027-03-13T15:00:00Z', '04:00', [], '2027-03-14T08:00:00.000Z'],
  ['2026-10-31T15:00:00Z', '04:00', [], '2026-11-01T09:00:00.000Z'],
  ['2026-11-01T05:00:00Z', '10:00', ['09:00-18:00'], '2026-11-01T23:00:00.000Z'],
])('after %s a clock in New York shows %s, outside %j, at %s', (after, at, quiet, change) => {
  expect(nextChange(plan({ at, quiet }), new Date(after), 'America/New_York').toISOString()).toBe(change);
});

it('the next change is always later, and each follows the one before', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
      fc.constantFrom('daily', 'weekly', 'monthly'),
      fc.constantFrom('Asia/Shanghai', 'Europe/Berlin', 'America/New_York'),
      (after, cycle, zone) => {
        const first = nextChange(plan({ cycle }), after, zone);
        expect(first.getTime()).toBeGreaterThan(after.getTime());
        expect(nextChange(plan({ cycle }), first, zone).getTime()).toBeGreaterThan(first.getTime());
      },
    ),
  );
});
