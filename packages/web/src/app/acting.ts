import { useSyncExternalStore } from 'react';
import { ApiError } from './api-error.ts';
import { actIn } from './client.ts';

/** Another person's account. */
export interface Elsewhere {
  account: string;
  name: string;
  person: string;
}

/** `member:<id>` or `grant:<id>`. */
export interface View {
  as: string;
  name: string;
}

/** Why account or preview was closed. */
export interface Left {
  name: string;
  why: 'gone' | 'locked' | 'view';
}

const accountKey = 'yunxun.account';
/** Outlives the session; empty: the own account. */
const lastKey = (person: string) => `${accountKey}.${person}`;
const viewKey = 'yunxun.view_as';
const leftKey = 'yunxun.left';

/** Answers of `/api/v3/user`. */
const reasons: Readonly<Record<number, Left['why']>> = { 4113: 'gone', 4019: 'locked', 4101: 'view' };

let elsewhere: Elsewhere | null = null;
let view: View | null = null;
let left: Left | null = null;
const listeners = new Set<() => void>();

/** Restores this tab's account, or the browser's last. Runs before the first call. */
export function takeUpActing(): void {
  elsewhere =
    read(sessionStorage, accountKey) ?? (sessionStorage.getItem(accountKey) ? null : read(localStorage, accountKey));
  view = read(sessionStorage, viewKey);
  left = read(sessionStorage, leftKey);
  actIn(elsewhere?.account ?? null, view?.as ?? null);
}

export function acting(): { elsewhere: Elsewhere | null; view: View | null } {
  return { elsewhere, view };
}

/** Reloads, because the screen shows the old account (null: the own one). */
export function workIn(to: Elsewhere | null): Promise<never> {
  const person = (to ?? elsewhere)?.person;
  if (person) localStorage.setItem(lastKey(person), to?.account ?? '');
  keep(to);
  sessionStorage.removeItem(viewKey);
  return beginAgain('/');
}

export const lastAccount = (person: string): string | null => localStorage.getItem(lastKey(person));

export function beginIn(to: Elsewhere): void {
  keep(to);
  elsewhere = to;
  actIn(to.account);
}

function keep(to: Elsewhere | null): void {
  // session storage: two tabs may use two accounts; local storage: next new tab
  sessionStorage.setItem(accountKey, JSON.stringify(to));
  if (to) localStorage.setItem(accountKey, JSON.stringify(to));
  else localStorage.removeItem(accountKey);
}

export function viewAs(next: View | null): Promise<never> {
  if (next) sessionStorage.setItem(viewKey, JSON.stringify(next));
  else sessionStorage.removeItem(viewKey);
  return beginAgain(next ? '/' : '/account');
}

export function forgetActing(): void {
  for (const key of [accountKey, viewKey, leftKey]) sessionStorage.removeItem(key);
  localStorage.removeItem(accountKey);
  elsewhere = view = left = null;
  actIn(null);
}

/**
 * Leaves an inaccessible account or preview; the reloaded page explains.
 * @returns null for other errors
 */
export function leaveIfLost(error: unknown): Promise<never> | null {
  const why = error instanceof ApiError ? reasons[error.code] : undefined;
  if (!why || (!elsewhere && !view)) return null;
  const lost: Left = view ? { name: view.name, why: 'view' } : { name: elsewhere?.name ?? '', why };
  sessionStorage.setItem(leftKey, JSON.stringify(lost));
  return view ? viewAs(null) : workIn(null);
}

export function useLeft(): [Left | null, () => void] {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => left,
  );
  return [now, dismiss];
}

function dismiss(): void {
  sessionStorage.removeItem(leftKey);
  left = null;
  for (const listener of listeners) listener();
}

/** Loads another page; never resolves. */
function beginAgain(path: string): Promise<never> {
  location.assign(path);
  return new Promise(() => {});
}

function read<T>(from: Storage, key: string): T | null {
  try {
    return JSON.parse(from.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}
