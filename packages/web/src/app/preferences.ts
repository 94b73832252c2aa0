import type { User } from './session.ts';

/** How the signed-in person wants the console, as far as it is not theme or language. */
export interface Preferences {
  /** IANA zone that times are shown in; undefined: this computer's, before anybody is known. */
  timeZone: string | undefined;
  /** Rows of a list while its address says nothing else. */
  pageSize: User['personalization']['page_size'];
}

let now: Preferences = { timeZone: undefined, pageSize: 10 };

/** What is in force; whoever shows a time or a list asks here. */
export function preferences(): Preferences {
  return now;
}

/** Puts a person's choices into force. Density is an attribute of the document that the tokens follow. */
export function applyPreferences({ personalization, time_zone }: Pick<User, 'personalization' | 'time_zone'>): void {
  now = { timeZone: time_zone, pageSize: personalization.page_size };
  document.documentElement.dataset.density = personalization.density;
}
