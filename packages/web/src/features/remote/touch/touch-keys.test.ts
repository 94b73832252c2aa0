import { expect, it } from 'vitest';
import { CtrlLatch } from './touch-keys.ts';

function latch() {
  const states: boolean[] = [];
  return { states, made: new CtrlLatch((on) => states.push(on)) };
}

it('turns the next character alone into its control code', () => {
  const { made, states } = latch();
  made.toggle();
  expect([made.apply('c'), made.apply('c')]).toEqual(['\x03', 'c']);
  expect(states).toEqual([true, false]);
});

it.each([
  ['Z', '\x1a'],
  ['[', '\x1b'],
  ['\\', '\x1c'],
  ['_', '\x1f'],
  ['@', '\0'],
  [' ', '\0'],
  ['?', '\x7f'],
  ['/', '/'],
  ['7', '7'],
  ['\r', '\r'],
  ['云', '云'],
])('takes %j for %j', (typed, sent) => {
  const { made } = latch();
  made.toggle();
  expect(made.apply(typed)).toBe(sent);
});

it('waits while text is pasted or the terminal answers, and can be released', () => {
  const { made } = latch();
  made.toggle();
  expect([made.apply('ls'), made.apply('\x1b[?1;2c'), made.apply('d')]).toEqual(['ls', '\x1b[?1;2c', '\x04']);
  made.toggle();
  made.toggle();
  expect(made.apply('d')).toBe('d');
});

it('sends arrows as the program asked, and with Ctrl once', () => {
  const { made, states } = latch();
  expect([made.textOf('up', false), made.textOf('up', true)]).toEqual(['\x1b[A', '\x1bOA']);
  made.toggle();
  expect([made.textOf('left', true), made.textOf('left', false)]).toEqual(['\x1b[1;5D', '\x1b[D']);
  expect(states).toEqual([true, false]);
});
