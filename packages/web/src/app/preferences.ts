import type { User } from './user.ts';

export interface Preferences {
  /** IANA zone of displayed times; undefined before sign-in: the browser's. */
  timeZone: string | undefined;
  /** Of the account, in which books are kept. */
  booksZone: string | undefined;
  pageSize: User['personalization']['page_size'];
}

let now: Preferences = { timeZone: undefined, booksZone: undefined, pageSize: 10 };

export function preferences(): Preferences {
  return now;
}

export function applyPreferences({
  personalization,
  time_zone,
  account_time_zone,
}: Pick<User, 'personalization' | 'time_zone' | 'account_time_zone'>): void {
  now = { timeZone: time_zone, booksZone: account_time_zone, pageSize: personalization.page_size };
  document.documentElement.dataset.density = personalization.density;
}
