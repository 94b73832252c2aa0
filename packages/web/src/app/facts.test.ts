import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyFacts } from './facts.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const list = ['/api/v3/ap/list', { page: 1 }];
const other = ['/api/v3/log/action/list', {}];

test('a status is patched at once, and many facts make one refetch', () => {
  const client = new QueryClient();
  client.setQueryData(list, {
    list: [
      { serial: 'a', status: 'offline' },
      { serial: 'b', status: 'offline' },
    ],
    total: 2,
  });
  client.setQueryData(other, { list: [], total: 0 });
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  const hear = applyFacts(client, 400);
  for (let n = 0; n < 50; n += 1) {
    hear({ type: 'device.status', serial: 'a', gwid: null, status: 'online', since: '2026-11-20T00:00:00Z' });
  }
  expect(client.getQueryData(list)).toMatchObject({ list: [{ status: 'online' }, { status: 'offline' }] });
  expect(invalidate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(400);
  expect(invalidate).toHaveBeenCalledOnce();
  expect(client.getQueryState(list)?.isInvalidated).toBe(true);
  expect(client.getQueryState(other)?.isInvalidated).toBe(false);
});

test('a status leaves alone what was made of a list under another name', () => {
  const client = new QueryClient();
  const gathered = ['/api/v3/ap/list', 'to restart', ['n']];
  client.setQueryData(gathered, [{ serial: 'a', is_gateway: false }]);
  const hear = applyFacts(client, 400);
  hear({ type: 'device.status', serial: 'a', gwid: 'n', status: 'online', since: '2026-11-20T00:00:00Z' });
  expect(client.getQueryData(gathered)).toEqual([{ serial: 'a', is_gateway: false }]);
});

test('a change is in the log that is on screen; that a device came or went is not', () => {
  const client = new QueryClient();
  client.setQueryData(other, { list: [], total: 0 });
  const hear = applyFacts(client, 400);
  hear({ type: 'network.changed', gwid: 'n' });
  vi.advanceTimersByTime(400);
  expect(client.getQueryState(other)?.isInvalidated).toBe(true);
});

test('a fact that nothing here shows does no harm', () => {
  const hear = applyFacts(new QueryClient());
  expect(() => hear({ type: 'unheard.of' } as never)).not.toThrow();
});
