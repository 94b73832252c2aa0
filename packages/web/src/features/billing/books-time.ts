import { wallClock } from '@yunxun/contract/local-time';
import { preferences } from '../../app/preferences.ts';

/** Returns a time for files of the books, in the account's zone: `2026-11-01 08:05:30`. */
export function booksTime(at: string): string {
  const shown = new Date(wallClock(Date.parse(at), preferences().booksZone)).toISOString();
  return `${shown.slice(0, 10)} ${shown.slice(11, 19)}`;
}
