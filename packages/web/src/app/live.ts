import type { LiveFact } from '@yunxun/contract';
import { withoutBidi } from '@yunxun/contract/plain-text';
import { useSyncExternalStore } from 'react';
import { requestHeaders, signedOut } from './client.ts';
import type { LiveState } from './live-state.ts';
import { canShare, shareStream, streamName, type TabMessage } from './one-stream.ts';
import { queryClient } from './session.ts';
import { readSse } from './sse.ts';
import { readToken } from './token.ts';

const FIRST_DELAY_MS = 1000;
/** Jittered by 25 %: reconnects within five seconds of the server's return. */
const LONGEST_DELAY_MS = 4000;
/** Then the back-off resets. */
const LASTING_MS = 30_000;
/** The server comments more often. */
const SILENCE_MS = 20_000;

let state: LiveState = 'connecting';
let stop: AbortController | null = null;
/** Last stream; `missed`: facts may be lost since. */
let heard: string | null = null;
let missed = false;
let asleep = false;
/** In the leading tab. `tryNow` ends the back-off. */
let tell: ((message: TabMessage) => void) | null = null;
let tryNow: (() => void) | null = null;
let stream = '';
let onRefused: () => void = () => {};
const watchers = new Set<() => void>();
const hearers = new Set<(fact: LiveFact) => void>();

function become(next: LiveState, from = ''): void {
  if (next === 'lost' || next === 'full') missed = true;
  if (next === 'live') {
    // Lost during a gap, also before the first stream: refetch all.
    const gap = missed || heard !== from;
    heard = from;
    missed = false;
    if (gap) void queryClient.invalidateQueries();
  }
  if (next === state) return;
  state = next;
  for (const watcher of watchers) watcher();
}

export function whenRefused(handler: () => void): void {
  onRefused = handler;
}

/** Reconnects after every loss. Opens once. */
export function openLive(): void {
  if (stop) return;
  stop = new AbortController();
  void (canShare() ? openShared(stop.signal) : openOwn(stop.signal));
}

export function closeLive(): void {
  stop?.abort();
  stop = null;
  asleep = false;
  heard = null;
  missed = false;
  become('connecting');
}

// A cached page would hold one of six connections.
addEventListener('pagehide', () => {
  if (!stop) return;
  stop.abort();
  stop = null;
  asleep = true;
  missed = true;
});
addEventListener('pageshow', () => {
  if (!asleep) return;
  asleep = false;
  openLive();
});

async function openShared(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const token = readToken();
    // Signed out in another tab.
    if (!token) return signedOut(null);
    const name = await streamName(requestHeaders());
    if (signal.aborted) return;
    await shareStream(name, signal, hear, async (say) => {
      tell = say;
      try {
        await keepOpen(signal, token);
      } finally {
        if (tell === say) tell = null;
      }
    });
  }
}

/** Opens this tab's own stream while visible, without Web Locks. */
async function openOwn(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const token = readToken();
    if (!token) return signedOut(null);
    if (document.visibilityState === 'visible') {
      const hidden = new AbortController();
      const look = () => document.visibilityState === 'hidden' && hidden.abort();
      document.addEventListener('visibilitychange', look);
      await keepOpen(AbortSignal.any([signal, hidden.signal]), token);
      document.removeEventListener('visibilitychange', look);
      missed = true;
    } else {
      await new Promise<void>((seen) => {
        document.addEventListener('visibilitychange', () => seen(), { once: true });
        signal.addEventListener('abort', () => seen(), { once: true });
      });
    }
  }
}

/** Handles another tab: the leader's facts, a follower's query. */
function hear(message: TabMessage): void {
  if (message.kind === 'ask') {
    tell?.({ kind: 'state', state, stream });
    tryNow?.();
  } else if (tell === null) {
    if (message.kind === 'state') become(message.state, message.stream);
    else for (const hearer of hearers) hearer(message.fact);
  }
}

function announce(next: LiveState): void {
  become(next, stream);
  tell?.({ kind: 'state', state: next, stream });
}

class TooManyStreams extends Error {}

async function keepOpen(signal: AbortSignal, token: string): Promise<void> {
  let delay = FIRST_DELAY_MS;
  while (!signal.aborted && readToken() === token) {
    const began = Date.now();
    let after: LiveState = 'lost';
    try {
      await listen(signal);
    } catch (error) {
      // Any error leads to a reconnect.
      if (error instanceof TooManyStreams) after = 'full';
    }
    if (signal.aborted || readToken() !== token) return;
    announce(after);
    if (Date.now() - began > LASTING_MS) delay = FIRST_DELAY_MS;
    await pause(delay * (0.75 + Math.random() / 2), signal);
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }
}

async function listen(signal: AbortSignal): Promise<void> {
  const token = readToken();
  const quiet = new AbortController();
  let timer = setTimeout(() => quiet.abort(), SILENCE_MS);
  try {
    const response = await fetch('/api/v3/live', {
      headers: { ...requestHeaders(), accept: 'text/event-stream' },
      credentials: 'omit',
      signal: AbortSignal.any([signal, quiet.signal]),
    });
    if (response.status === 401) signedOut(token);
    if (!response.ok || !response.body) throw new Error(`live: ${response.status}`);
    // an envelope: too many streams, or access has ended
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      if (((await response.json()) as { code: number }).code === 4106) throw new TooManyStreams();
      onRefused();
      throw new Error('live: refused');
    }
    stream = `${Date.now()}.${Math.random()}`;
    announce('live');
    for await (const text of readSse(response.body, () => {
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), SILENCE_MS);
    })) {
      const fact = parse(text);
      if (!fact) continue;
      tell?.({ kind: 'fact', fact });
      for (const hearer of hearers) hearer(fact);
    }
  } finally {
    clearTimeout(timer);
  }
}

function parse(text: string): LiveFact | null {
  try {
    const fact: unknown = JSON.parse(withoutBidi(text));
    return typeof fact === 'object' && fact !== null && 'type' in fact ? (fact as LiveFact) : null;
  } catch {
    return null;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      tryNow = null;
      signal.removeEventListener('abort', done);
      removeEventListener('online', done);
      resolve();
    }
    tryNow = done;
    signal.addEventListener('abort', done);
    addEventListener('online', done);
  });
}

export function onFact(hearer: (fact: LiveFact) => void): () => void {
  hearers.add(hearer);
  return () => hearers.delete(hearer);
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => state,
  );
}
