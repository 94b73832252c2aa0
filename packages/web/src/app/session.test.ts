import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, UNREACHABLE } from './api-error.ts';
import { queryClient } from './session.ts';

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
