import { expect, test } from 'vitest';
import { looksLikeState } from './looks-like-state.ts';

test.each([
  ['{"jsonrpc":"2.0","method":"state","params":{}}', true],
  ['{ "jsonrpc": "2.0", "method": "state", "params": {} }', true],
  ['{"method":"state"}', true],
  ['{"jsonrpc":"2.0","method":"statement","params":{}}', false],
  ['{"jsonrpc":"2.0","method":"healthcheck","params":{"method":"state"}}', false],
  ['{"params":{},"method":"state"}', false],
  ['{"jsonrpc":"2.0","id":1,"result":{"method":"state"}}', false],
  ['["method":"state"]', false],
  ['', false],
])('%s', (text, looks) => {
  expect(looksLikeState(Buffer.from(text))).toBe(looks);
});
