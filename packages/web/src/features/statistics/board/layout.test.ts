import { expect, test } from 'vitest';
import { beginsRow, type CardId, cardIds, moved, orderOf, readLayout, spans, untouched, usualOrder } from './layout.ts';

test.each([
  ['revenue', 'income'],
  ['users', 'online'],
  ['network', 'networks'],
  ['alarms', 'problems'],
] as const)('%s puts %s first, and every card stays', (first, card) => {
  const order = usualOrder(first);
  expect(order[0]).toBe(card);
  expect(order.toSorted()).toEqual([...cardIds].toSorted());
});

test('whatever comes first, rows are full', () => {
  for (const first of ['revenue', 'users', 'network', 'alarms'] as const) {
    let row = 0;
    for (const id of usualOrder(first)) row = row + spans[id] > 12 ? -1 : (row + spans[id]) % 12;
    expect([first, row]).toEqual([first, 0]);
  }
});

test('problems come first while the first card of the section has no source', () => {
  expect(usualOrder('revenue', new Set(['income']))[0]).toBe('problems');
  expect(usualOrder('revenue', new Set(['flow']))[0]).toBe('income');
});

test('moves a card to the place of another, forwards and backwards', () => {
  const order = ['income', 'online', 'auth', 'intercept'] as const;
  expect(moved(order, 'income', 'auth')).toEqual(['online', 'auth', 'income', 'intercept']);
  expect(moved(order, 'intercept', 'online')).toEqual(['income', 'intercept', 'online', 'auth']);
  expect(moved(order, 'auth', 'auth')).toEqual([...order]);
});

test('places a card that is newer than the saved order at its default position', () => {
  const kept = usualOrder('alarms').filter((id) => id !== 'bands' && id !== 'problems');
  expect(orderOf({ order: kept, hidden: [] }, 'alarms')).toEqual(usualOrder('alarms'));
});

test('nothing kept is as if nothing were touched', () => {
  expect(readLayout(null)).toEqual(untouched);
});

test('what is kept is read again, without cards that are gone or twice', () => {
  const kept = { order: ['trend', 'gone', 'income', 'trend'], hidden: ['jobs', 'gone'] };
  expect(readLayout(kept)).toEqual({ order: ['trend', 'income'], hidden: ['jobs'] });
});

test('cards of one number have rows of their own', () => {
  const shown: CardId[] = ['online', 'problems', 'tiles', 'income', 'auth', 'trend'];
  expect(shown.filter((_, place) => beginsRow(shown, place))).toEqual(['problems', 'income', 'trend']);
});

test('the group of the section comes first, then problems, the night and the networks', () => {
  expect(usualOrder('revenue').slice(0, 7)).toEqual([
    'income',
    'online',
    'auth',
    'intercept',
    'problems',
    'outages',
    'tiles',
  ]);
  expect(usualOrder('alarms').slice(0, 3)).toEqual(['problems', 'outages', 'tiles']);
});
