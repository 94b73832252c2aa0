import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { messages } from '../messages/en.ts';
import { takeUpActing, workIn } from './acting.ts';
import { ApiError, UNREACHABLE } from './api-error.ts';
import { requestHeaders } from './client.ts';
import { install } from './i18n.ts';
import { queryClient, signOut } from './session.ts';
import { signIn } from './sign-in.ts';

beforeEach(() => {
  vi.useFakeTimers();
  queryClient.mount();
});
afterEach(() => {
  onlineManager.setOnline(true);
  queryClient.unmount();
  queryClient.clear();
  vi.useRealTimers();
});

test('without a network a read fails within three seconds, and is repeated when the network is back', async () => {
  const ask = vi.fn(async () => {
    if (!onlineManager.isOnline()) throw new ApiError(UNREACHABLE, 'no network');
    return 'answer';
  });
  onlineManager.setOnline(false);
  const observer = new QueryObserver(queryClient, { queryKey: ['asked'], queryFn: ask });
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(3000);
  expect(observer.getCurrentResult().error).toBeInstanceOf(ApiError);
  onlineManager.setOnline(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(observer.getCurrentResult().data).toBe('answer');
  stop();
});

test('without a network a change fails at once', async () => {
  onlineManager.setOnline(false);
  const change = queryClient.getMutationCache().build(queryClient, {
    mutationFn: () => Promise.reject(new ApiError(UNREACHABLE, 'no network')),
  });
  await expect(change.execute(undefined)).rejects.toBeInstanceOf(ApiError);
});

describe('a person who signs in', () => {
  const person = 'amy';
  const own = { account_id: 'own', name: 'Amy', role: 'owner', own: true };
  const hotel = { account_id: 'hotel', name: 'Harbour Hotels', role: 'reception', own: false };
  let places: object[];
  let networks: number;
  let asked: [path: string, account: string | undefined][];

  const storage = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
  };
  beforeEach(() => {
    vi.useRealTimers();
    install('en', messages);
    places = [own, hotel];
    networks = 0;
    asked = [];
    vi.stubGlobal('document', { cookie: '' });
    vi.stubGlobal('location', { protocol: 'http:', assign: () => {} });
    vi.stubGlobal('localStorage', storage());
    vi.stubGlobal('sessionStorage', storage());
    vi.stubGlobal('fetch', async (path: string, { headers }: { headers: Record<string, string> }) => {
      asked.push([path, headers.account]);
      const data = { '/api/v3/user': { id: person }, '/api/v3/account/list': { list: places, total: places.length } };
      const answer = data[path as keyof typeof data] ?? { list: [], total: networks };
      return Response.json({ code: 2000, message: 'ok', data: answer });
    });
    takeUpActing();
  });
  afterEach(() => vi.unstubAllGlobals());

  const account = async () => {
    await signIn(async () => 'token', false);
    return requestHeaders().account;
  };
  const choose = (to: typeof hotel | null) => {
    void workIn(to && { account: to.account_id, name: to.name, person });
    takeUpActing();
  };

  test('returns to the account of the last choice, in which nothing was asked before', async () => {
    networks = 5;
    expect(await account()).toBeUndefined();
    choose(hotel);
    await signOut();
    expect(await account()).toBe('hotel');
    choose(null);
    await signOut();
    networks = 0;
    expect(await account()).toBeUndefined();
    expect(asked.filter(([, acted]) => acted)).toEqual([]);
  });

  test('begins where they are a member if the own account has no networks', async () => {
    expect(await account()).toBe('hotel');
  });

  test('has the own account after leaving the other', async () => {
    choose(hotel);
    await signOut();
    places = [own];
    expect(await account()).toBeUndefined();
  });
});
