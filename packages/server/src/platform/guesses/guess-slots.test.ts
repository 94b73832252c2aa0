import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { ManualClock } from '../clock.ts';
import { createGuessSlots, type GuessLimit, type GuessSlots } from './guess-slots.ts';

const { database, reopen, drop } = await createTestDatabase();
afterAll(drop);

const clock = new ManualClock();
/** As two processes, which share the database only. */
const processes: [GuessSlots, GuessSlots] = [
  createGuessSlots({ database, clock }),
  createGuessSlots({ database: await reopen(), clock }),
];

const limitOf = (key: string): GuessLimit => ({ key, limit: 5, windowMs: 600_000 });

async function atOnce(guess: GuessLimit, answer: () => true | null) {
  const seen = { checked: 0, running: 0, atMost: 0 };
  const check = async () => {
    seen.checked += 1;
    seen.running += 1;
    seen.atMost = Math.max(seen.atMost, seen.running);
    await new Promise(setImmediate);
    seen.running -= 1;
    return answer();
  };
  const tries = Array.from({ length: 200 }, (_, at) => processes[at % 2 === 0 ? 0 : 1].check(guess, check));
  const outcomes = (await Promise.all(tries)).map(({ outcome }) => outcome);
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  return { ...seen, right: count('right'), wrong: count('wrong'), locked: count('locked') };
}

it('refuses none of 200 right guesses at once, and runs no more than the limit side by side', async () => {
  const found = await atOnce(limitOf('right'), () => true);
  expect(found).toMatchObject({ right: 200, checked: 200 });
  expect(found.atMost).toBeLessThanOrEqual(5);
});

it('checks no more than the limit of 200 wrong guesses at once', async () => {
  expect(await atOnce(limitOf('wrong'), () => null)).toMatchObject({ checked: 5, wrong: 5, locked: 195 });
});

it('keeps earlier wrong guesses unless a right one forgets them', async () => {
  const guess = limitOf('mixed');
  const [slots] = processes;
  for (let at = 1; at <= 4; at += 1)
    expect(await slots.check(guess, async () => null)).toMatchObject({ outcome: 'wrong', count: { count: at } });
  expect(await slots.check(guess, async () => 'value')).toEqual({ outcome: 'right', value: 'value' });
  expect(await slots.check({ ...guess, forgets: true }, async () => true)).toMatchObject({ outcome: 'right' });
  expect(await slots.check(guess, async () => null)).toMatchObject({ outcome: 'wrong', count: { count: 1 } });
});

it('counts no check that threw', async () => {
  const guess = limitOf('thrown');
  const broken = () => Promise.reject(new Error('broken by the test'));
  await Promise.all(
    Array.from({ length: 20 }, () => expect(processes[0].check(guess, broken)).rejects.toThrow('broken')),
  );
  expect(await processes[1].check(guess, async () => null)).toMatchObject({ outcome: 'wrong', count: { count: 1 } });
});

it('begins the window with the first wrong guess', async () => {
  const guess = limitOf('window');
  const [slots] = processes;
  await slots.check(guess, async () => true);
  clock.advance(599_000);
  for (let at = 0; at < 5; at += 1) await slots.check(guess, async () => null);
  clock.advance(2000);
  expect(await slots.check(guess, async () => true)).toMatchObject({ outcome: 'locked' });
  clock.advance(598_000);
  expect(await slots.check(guess, async () => true)).toMatchObject({ outcome: 'right' });
});

it('gets back the slots of a process that crashed', async () => {
  const guess = limitOf('crashed');
  for (let at = 0; at < 5; at += 1) await processes[0].reserve(guess);
  const waiting = processes[1].check(guess, async () => true);
  clock.advance(16_000);
  expect(await waiting).toMatchObject({ outcome: 'right' });
});
