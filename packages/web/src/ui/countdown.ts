import { useEffect, useState } from 'react';

/** Time of the next code per address; a reload must not shorten the wait. */
type Waits = Readonly<Record<string, number>>;

const KEY = 'yunxun.codes';

function kept(now: number): Waits {
  let waits: Waits = {};
  try {
    waits = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Waits;
  } catch {
    // without storage a reload forgets the waits
  }
  return Object.fromEntries(Object.entries(waits).filter(([, until]) => until > now));
}

/** Returns the wait of an address; before one is typed, the longest of the channel. */
function secondsLeft(way: 'mobile' | 'email', to: string): number {
  const now = Date.now();
  const waits = kept(now);
  const address = to.trim().toLowerCase();
  const untils = address
    ? [waits[address] ?? now]
    : Object.entries(waits).flatMap(([name, until]) => (name.includes('@') === (way === 'email') ? [until] : []));
  return Math.max(0, Math.ceil((Math.max(now, ...untils) - now) / 1000));
}

/** Returns seconds until another code may be sent, shared by all pages, and their start function. */
export function useCountdown(way: 'mobile' | 'email', to: string): [left: number, start: (seconds: number) => void] {
  const [, again] = useState(0);
  const left = secondsLeft(way, to);
  const counting = left > 0;
  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => again(Date.now()), 250);
    return () => clearInterval(timer);
  }, [counting]);
  return [
    left,
    (seconds) => {
      const now = Date.now();
      const waits = { ...kept(now), [to.trim().toLowerCase()]: now + seconds * 1000 };
      localStorage.setItem(KEY, JSON.stringify(waits));
      again(now);
    },
  ];
}

/** Updates each second; 0 afterwards. */
export function useSecondsUntil(time: string): number {
  const [, again] = useState(0);
  const left = Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / 1000));
  const counting = left > 0;
  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => again(Date.now()), 500);
    return () => clearInterval(timer);
  }, [counting]);
  return left;
}
