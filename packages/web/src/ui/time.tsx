import { useSyncExternalStore } from 'react';
import { t } from '../app/i18n.ts';
import { ago, exactTime, shortTime } from './format.ts';

// One clock for all relative times; stops in a hidden tab.
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    now = Date.now();
    for (const each of listeners) each();
  }, 5000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function read(): number {
  // Stopped without subscribers: refresh for the first.
  if (timer === undefined && Date.now() - now > 5000) now = Date.now();
  return now;
}

/** Updates every five seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read);
}

export function RelativeTime({ at }: { at: string | null }) {
  const current = useNow();
  if (!at) return <span className="dim">—</span>;
  const time = new Date(at);
  return (
    <time dateTime={at} title={exactTime(time)} className="nowrap">
      {ago(time, Math.max(current, Date.now() - 5000))}
    </time>
  );
}

export function ShortTime({ at }: { at: string | null }) {
  if (!at) return <span className="dim">—</span>;
  const time = new Date(at);
  return (
    <time dateTime={at} title={exactTime(time)} className="nowrap">
      {shortTime(time)}
    </time>
  );
}

/** Shows the age of a live value: `updated 5 s ago`; last known after `staleAfterSeconds`. */
export function AsOf({
  at,
  staleAfterSeconds = 180,
  away,
}: {
  at: string | null;
  staleAfterSeconds?: number;
  /** Offline: the last known value, whatever its age. */
  away?: boolean;
}) {
  const current = useNow();
  if (!at) return <span className="small dim">{t('as_of.never')}</span>;
  const time = new Date(at);
  const old = away || current - time.getTime() > staleAfterSeconds * 1000;
  const when = ago(time, current);
  return (
    <time dateTime={at} title={exactTime(time)} className="small dim as-of nowrap" data-old={old}>
      {old ? t('as_of.last_known', { when }) : t('as_of.updated', { when })}
    </time>
  );
}
