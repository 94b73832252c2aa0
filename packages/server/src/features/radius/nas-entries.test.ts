import { expect, it } from 'vitest';
import type { Entry } from './nas.ts';
import { createEntries } from './nas-entries.ts';

const entry = (id: string, isManaged: boolean): Entry => ({
  accountId: 'account',
  id,
  gwid: 'network',
  source: null,
  identifier: 'key',
  requireMa: true,
  isMaChosen: false,
  coaPort: 3799,
  isManaged,
  sendsGigawords: false,
  provenAt: null,
  savedAt: new Date(),
  sealed: Buffer.from(id),
  secret: null,
});

it('finds the secret of access points for their own connections, but for no packet over UDP', () => {
  const entries = createEntries();
  entries.replace(null, [entry('managed', true), entry('by hand', false)]);
  const ids = (found: readonly Entry[]) => found.map(({ id }) => id);
  expect(ids(entries.from('203.0.113.7', 'key'))).toEqual(['by hand']);
  expect(ids(entries.inNetwork({ accountId: 'account', gwid: 'network' }, 'key'))).toEqual(['managed', 'by hand']);
});
