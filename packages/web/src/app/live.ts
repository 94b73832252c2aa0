import type { LiveFact } from '@yunxun/contract';
import { useSyncExternalStore } from 'react';
import { requestHeaders, signedOut } from './client.ts';
import { queryClient } from './session.ts';
import { readSse } from './sse.ts';
import { readToken } from './token.ts';

/** Whether facts arrive. `lost`: values on screen may be old until the stream is back. */
export type LiveState = 'connecting' | 'live' | 'lost';

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;
/** The server sends a comment at least this often; a silent stream is a dead one. */
const SILENCE_MS = 20_000;

let state: LiveState = 'connecting';
let stop: AbortController | null = null;
const watchers = new Set<() => void>();
const hearers = new Set<(fact: LiveFact) => void>();

function become(next: LiveState): void {
  if (next === state) return;
  const wasLost = state === 'lost';
  state = next;
  for (const watcher of watchers) watcher();
  // Facts told while the stream was down are gone; whatever is on screen is read again.
  if (next === 'live' && wasLost) void queryClient.invalidateQueries();
}

/** Opens the stream of facts for a signed-in page; once, and again by itself after every loss. */
export function openLive(): void {
  if (stop) return;
  stop = new AbortController();
  void keepOpen(stop.signal);
}

/** Closes the stream (sign-out). */
export function closeLive(): void {
  stop?.abort();
  stop = null;
  become('connecting');
}

async function keepOpen(signal: AbortSignal): Promise<void> {
  let delay = FIRST_DELAY_MS;
  while (!signal.aborted && readToken()) {
    const began = Date.now();
    try {
      await listen(signal);
    } catch {
      // The reason does not matter: the stream is opened again below.
    }
    if (signal.aborted) return;
    become('lost');
    if (Date.now() - began > LONGEST_DELAY_MS) delay = FIRST_DELAY_MS;
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
    become('live');
    for await (const text of readSse(response.body, () => {
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), SILENCE_MS);
    })) {
      const fact = parse(text);
      if (fact) for (const hearer of hearers) hearer(fact);
    }
  } finally {
    clearTimeout(timer);
  }
}

function parse(text: string): LiveFact | null {
  try {
    const fact: unknown = JSON.parse(text);
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
      signal.removeEventListener('abort', done);
      removeEventListener('online', done);
      resolve();
    }
    signal.addEventListener('abort', done);
    addEventListener('online', done);
  });
}

/** Calls back for every fact; answers how to stop. */
export function onFact(hearer: (fact: LiveFact) => void): () => void {
  hearers.add(hearer);
  return () => hearers.delete(hearer);
}

/** The state of the stream, for the header. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => state,
  );
}
