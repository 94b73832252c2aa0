import { PassThrough } from 'node:stream';
import { remoteLimits } from '@yunxun/contract/device';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChannelEvents } from './channel.ts';
import { HeldSession } from './held-session.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('counts the use of a screen as input, not what its page asks for', () => {
  const reasons: string[] = [];
  const nothing = () => undefined;
  const stream = new PassThrough();
  const session = new HeldSession(
    {
      accountId: 'a',
      id: 'i',
      gwid: 'g',
      userId: 'u',
      kind: 'vnc',
      maker: null,
      link: { openShell: vi.fn(), connect: vi.fn(), onClose: nothing, close: nothing },
      logFile: vi.fn(),
      ended: (_session, reason) => reasons.push(reason),
    },
    async () => ({ stream, resize: nothing }),
    new Date(),
  );
  let page: ChannelEvents | null = null;
  const listen = (events: ChannelEvents) => {
    page = events;
  };
  session.attach(
    { send: nothing, unsent: 0, pause: nothing, resume: nothing, close: nothing, listen },
    { tokenHash: '', account: null, homeAccountId: 'a', ip: '' },
    { columns: 80, rows: 24 },
  );
  const half = remoteLimits.idle / 2 + 1;
  vi.advanceTimersByTime(half);
  page!.message(JSON.stringify({ type: 'active' }));
  vi.advanceTimersByTime(half);
  page!.message(Buffer.from([3]));
  expect(reasons).toEqual([]);
  vi.advanceTimersByTime(half);
  expect(reasons).toEqual(['idle']);
});
