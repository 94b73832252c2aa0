import type { User } from './user.ts';

export type Language = 'zh-CN' | 'en';

const KEY = 'yunxun.language';

/** Returns the stored language, default zh-CN. boot.js reads the same key before the first paint. */
export function currentLanguage(): Language {
  try {
    return localStorage.getItem(KEY) === 'en' ? 'en' : 'zh-CN';
  } catch {
    return 'zh-CN';
  }
}

export function changeLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  location.reload();
}

/**
 * Adopts the person's language at sign-in unless one was chosen in this browser. @returns whether the page must reload
 */
export function adoptLanguage({ personalization }: Pick<User, 'personalization'>): boolean {
  if (localStorage.getItem(KEY) !== null) return false;
  const other = personalization.language !== currentLanguage();
  localStorage.setItem(KEY, personalization.language);
  return other;
}
