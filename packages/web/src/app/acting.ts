import { useSyncExternalStore } from 'react';
import { ApiError } from './api-error.ts';
import { actIn } from './client.ts';

/** An account that is not the person's own, by its name in sentences. */
export interface Elsewhere {
  account: string;
  name: string;
  /** Who works there. */
  person: string;
}

/** Somebody whose view of the account is looked at: `member:<id>` or `grant:<id>`. */
export interface View {
  as: string;
  name: string;
}

/** Why the account that was acted in, or the view of it, is left without having been asked to. */
export interface Left {
  name: string;
  why: 'gone' | 'locked' | 'view';
}

const accountKey = 'yunxun.account';
const viewKey = 'yunxun.view_as';
const leftKey = 'yunxun.left';

/** What 4113, 4019 and 4101 say of the account acted in, when the person itself is asked for. */
const reasons: Readonly<Record<number, Left['why']>> = { 4113: 'gone', 4019: 'locked', 4101: 'view' };

let elsewhere: Elsewhere | null = null;
let view: View | null = null;
let left: Left | null = null;
const listeners = new Set<() => void>();

/** Takes up what this tab, or else this computer, was last working in. Called once, before the first call. */
export function takeUpActing(): void {
  elsewhere =
    read(sessionStorage, accountKey) ?? (sessionStorage.getItem(accountKey) ? null : read(localStorage, accountKey));
  view = read(sessionStorage, viewKey);
  left = read(sessionStorage, leftKey);
  actIn(elsewhere?.account ?? null, view?.as ?? null);
}

/** The account that is acted in, when it is not the own one, and whose view of it is shown. */
export function acting(): { elsewhere: Elsewhere | null; view: View | null } {
  return { elsewhere, view };
}

/** Works in another account from now on (null: the own one); whatever is on screen is the old one's, so the page begins again. */
export function workIn(to: Elsewhere | null): Promise<never> {
  // kept for this tab, which may be one of two at work in two accounts, and as where the next tab begins
  sessionStorage.setItem(accountKey, JSON.stringify(to));
  if (to) localStorage.setItem(accountKey, JSON.stringify(to));
  else localStorage.removeItem(accountKey);
  sessionStorage.removeItem(viewKey);
  return beginAgain('/');
}

/** Shows the account as somebody else sees it, or, with null, as oneself again. */
export function viewAs(next: View | null): Promise<never> {
  if (next) sessionStorage.setItem(viewKey, JSON.stringify(next));
  else sessionStorage.removeItem(viewKey);
  return beginAgain(next ? '/' : '/account');
}

/** Begins in the own account, as oneself. */
export function forgetActing(): void {
  for (const key of [accountKey, viewKey, leftKey]) sessionStorage.removeItem(key);
  localStorage.removeItem(accountKey);
  elsewhere = view = left = null;
  actIn(null);
}

/**
 * Judges why the person could not be read: when it is that the account acted in, or the view of it, is no longer open to
 * it, the page begins again without, and says so.
 * @returns null when it is something else
 */
export function leaveIfLost(error: unknown): Promise<never> | null {
  const why = error instanceof ApiError ? reasons[error.code] : undefined;
  if (!why || (!elsewhere && !view)) return null;
  const lost: Left = view ? { name: view.name, why: 'view' } : { name: elsewhere?.name ?? '', why };
  sessionStorage.setItem(leftKey, JSON.stringify(lost));
  return view ? viewAs(null) : workIn(null);
}

/** Why the page is not where it was; null once that has been read. */
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

/** Never resolves: the page is about to be another. */
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
