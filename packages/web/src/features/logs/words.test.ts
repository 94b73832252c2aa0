import { expect, test } from 'vitest';
import { networksIn } from './words.ts';

test('the networks that an operation names are found wherever they stand, each once', () => {
  expect(networksIn([{ gwid: 'a', remark: 'x' }, { gwids: ['b', 'a'], inner: { gwid: 'c' } }, null])).toEqual([
    'a',
    'b',
    'c',
  ]);
  expect(networksIn([{ gwid: null, gwids: null }, 'gwid'])).toEqual([]);
});
