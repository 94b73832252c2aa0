import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyFacts, changesClients } from './facts.ts';

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
  const batched = ['/api/v3/ap/list', 'to restart', ['n']];
  client.setQueryData(batched, [{ serial: 'a', is_gateway: false }]);
  const hear = applyFacts(client, 400);
  hear({ type: 'device.status', serial: 'a', gwid: 'n', status: 'online', since: '2026-11-20T00:00:00Z' });
  expect(client.getQueryData(batched)).toEqual([{ serial: 'a', is_gateway: false }]);
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

test('clients of a network make one refetch of what shows that network, about once a second', async () => {
  const client = new QueryClient();
  const detail = (gwid: string) => ['/api/v3/network/detail', { gwid }];
  const all = ['/api/v3/network/list', { page: 1 }];
  for (const key of [detail('n'), detail('m'), all, other]) client.setQueryData(key, {});
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  const hear = applyFacts(client);
  for (let at = 0; at < 3000; at += 10) {
    hear({ type: 'clients', gwid: 'n' });
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(invalidate.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(invalidate.mock.calls.length).toBeLessThanOrEqual(4);
  const stale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  expect([detail('n'), detail('m'), all, other].map(stale)).toEqual([true, false, true, false]);
});

test('clients of another network leave the list of one network alone', () => {
  expect(changesClients({ type: 'clients', gwid: 'n' }, undefined)).toBe(true);
  expect(changesClients({ type: 'clients', gwid: 'n' }, 'n')).toBe(true);
  expect(changesClients({ type: 'clients', gwid: 'm' }, 'n')).toBe(false);
  expect(changesClients({ type: 'network.changed', gwid: 'n' }, 'n')).toBe(false);
});
