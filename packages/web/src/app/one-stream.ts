import type { LiveFact } from '@yunxun/contract';
import type { LiveState } from './live.ts';

/** What the tab that holds the stream tells the others; `ask` is theirs: how is it, and try now. */
export type Told =
  | { kind: 'fact'; fact: LiveFact }
  | { kind: 'state'; state: LiveState; stream: string }
  | { kind: 'ask' };

/** Web Locks exist only on a trustworthy origin (https or this computer). */
export function canShare(): boolean {
  return Boolean(navigator.locks) && typeof BroadcastChannel === 'function' && Boolean(globalThis.crypto?.subtle);
}

/** A name for lock and channel that two tabs share exactly when they may hear the same facts; it gives nothing away. */
export async function streamName(headers: Record<string, string>): Promise<string> {
  const who = new TextEncoder().encode([headers.authorization, headers.account, headers['view-as']].join('\n'));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', who));
  return `yunxun.live.${Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * One stream for all tabs of a browser, because it opens only six connections to a host over HTTP/1.1: the tab that
 * gets the lock runs `lead`, the others hear what it tells. Resolves when `lead` has ended or `signal` aborts; a tab
 * that waits takes over when the leader is gone.
 */
export async function shareStream(
  name: string,
  signal: AbortSignal,
  hear: (told: Told) => void,
  lead: (tell: (told: Told) => void) => Promise<void>,
): Promise<void> {
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event: MessageEvent<Told>) => hear(event.data);
  const shown = () => {
    if (document.visibilityState === 'visible') channel.postMessage({ kind: 'ask' } satisfies Told);
  };
  document.addEventListener('visibilitychange', shown);
  shown();
  try {
    await navigator.locks.request(name, { signal }, () => lead((told) => channel.postMessage(told)));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    document.removeEventListener('visibilitychange', shown);
    channel.close();
  }
}
