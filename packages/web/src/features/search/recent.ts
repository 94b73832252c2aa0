import { recentPrefix } from '../../app/recent-key.ts';
import { isRecord } from './hits.ts';

export interface Recent {
  kind: string;
  title: string;
  to: string;
  search?: Record<string, string>;
}

const kept = 8;

/** Newest first; until sign-out or the tab's end, per person and account: names must not stay on a shared computer. */
export function readRecent(owner: string): Recent[] {
  try {
    const reported: unknown = JSON.parse(sessionStorage.getItem(keyOf(owner)) ?? '[]');
    return Array.isArray(reported) ? reported.filter(isRecent) : [];
  } catch {
    // the browser keeps nothing, or something else wrote there
    return [];
  }
}

/** Puts something first among what was opened last. */
export function keepRecent(owner: string, opened: Recent): void {
  const others = readRecent(owner).filter(({ to, title }) => to !== opened.to || title !== opened.title);
  try {
    sessionStorage.setItem(keyOf(owner), JSON.stringify([opened, ...others].slice(0, kept)));
  } catch {
    // a browser that keeps nothing has no recent list
  }
}

const keyOf = (owner: string) => `${recentPrefix}${owner}`;

function isRecent(value: unknown): value is Recent {
  return isRecord(value) && ['kind', 'title', 'to'].every((field) => typeof value[field] === 'string');
}
