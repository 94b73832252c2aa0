import { recentPrefix } from '../../app/recent-key.ts';
import { isRecord } from './hits.ts';

/** Something that was opened from the search. */
export interface Recent {
  kind: string;
  title: string;
  to: string;
  search?: Record<string, string>;
}

const kept = 8;

/**
 * What was opened last, newest first. It lives until the sign-out or the end of the tab and belongs to a person in an
 * account: names of networks and clients do not stay on a shared computer.
 */
export function readRecent(owner: string): Recent[] {
  try {
    const said: unknown = JSON.parse(sessionStorage.getItem(keyOf(owner)) ?? '[]');
    return Array.isArray(said) ? said.filter(isRecent) : [];
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
