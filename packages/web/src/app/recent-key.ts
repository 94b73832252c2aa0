/** Session storage keys of opened results, followed by person and account. */
export const recentPrefix = 'yunxun.recent.';

/** Removes what was opened from the search, of every person and account. */
export function forgetRecent(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(recentPrefix)) sessionStorage.removeItem(key);
}
