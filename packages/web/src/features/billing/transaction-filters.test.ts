import { expect, it } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en } from '../../messages/all.ts';
import { filtersOf } from './transactions.tsx';

it('lists the transactions of chosen days, both included', () => {
  install('en', en);
  const filters = filtersOf({ range: 'custom', first: '2026-11-01', last: '2026-11-30' });
  const { from, to } = filters.find(({ name }) => name === 'range')!.input!('custom') as Record<'from' | 'to', string>;
  expect(Date.parse(to) - Date.parse(from)).toBe(30 * 86_400_000);
});
