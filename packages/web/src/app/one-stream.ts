import type { LiveFact } from '@yunxun/contract';
import type { LiveState } from './live-state.ts';

/**
 * Messages between tabs: facts and state from the leader; `ask` from followers requests the state and an immediate
 * reconnect.
 */
export type TabMessage =
  | { kind: 'fact'; fact: LiveFact }
  | { kind: 'state'; state: LiveState; stream: string }
  | { kind: 'ask' };

/** Returns whether Web Locks exist; they need a secure origin (HTTPS or localhost). */
export function canShare(): boolean {
  return Boolean(navigator.locks) && typeof BroadcastChannel === 'function' && Boolean(globalThis.crypto?.subtle);
}

/**
 * Returns the name of lock and channel, equal exactly for tabs with the same access. A hash, so it reveals nothing.
 */
export async function streamName(headers: Record<string, string>): Promise<string> {
  const identityBytes = new TextEncoder().encode(
    [headers.authorization, headers.account, headers['view-as']].join('\n'),
  );
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', identityBytes));
  return `yunxun.live.${Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Shares one stream between tabs: HTTP/1.1 allows six connections per host. The tab with the lock runs `lead`; the
 * others receive its broadcasts, and one succeeds it. Resolves when `lead` ends or `signal` aborts.
 */
export async function shareStream(
  name: string,
  signal: AbortSignal,
  hear: (message: TabMessage) => void,
  lead: (tell: (message: TabMessage) => void) => Promise<void>,
): Promise<void> {
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event: MessageEvent<TabMessage>) => hear(event.data);
  const shown = () => {
    if (document.visibilityState === 'visible') channel.postMessage({ kind: 'ask' } satisfies TabMessage);
  };
  document.addEventListener('visibilitychange', shown);
  shown();
  try {
    await navigator.locks.request(name, { signal }, () => lead((message) => channel.postMessage(message)));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    document.removeEventListener('visibilitychange', shown);
    channel.close();
  }
}
