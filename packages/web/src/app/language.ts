import type { User } from './session.ts';

/** The two languages of the console; the value of the `localization` header. */
export type Language = 'zh-CN' | 'en';

const KEY = 'yunxun.language';

/** The language kept on this computer; zh-CN when none was chosen. boot.js reads the same key before the first paint. */
export function currentLanguage(): Language {
  try {
    return localStorage.getItem(KEY) === 'en' ? 'en' : 'zh-CN';
  } catch {
    return 'zh-CN';
  }
}

/** Keeps the language and reloads the page; the address stays as it is. */
export function changeLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  location.reload();
}

/**
 * At sign-in on a computer where nobody has chosen a language: takes the person's own from the server. A choice made
 * here is kept. @returns whether the page has to begin again in the other language
 */
export function adoptLanguage({ personalization }: Pick<User, 'personalization'>): boolean {
  if (localStorage.getItem(KEY) !== null) return false;
  const other = personalization.language !== currentLanguage();
  localStorage.setItem(KEY, personalization.language);
  return other;
}
