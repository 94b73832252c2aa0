import type { User } from './user.ts';

export type Language = 'zh-CN' | 'en';

const KEY = 'yunxun.language';

/** Defaults to zh-CN. boot.js reads the same key, and writes it for links with `?lang=`. */
export function currentLanguage(): Language {
  try {
    return localStorage.getItem(KEY) === 'en' ? 'en' : 'zh-CN';
  } catch {
    return 'zh-CN';
  }
}

/** Whether this browser's first language is another than Chinese. */
export const isForeign = (): boolean => !navigator.language.toLowerCase().startsWith('zh');

export function changeLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  location.reload();
}

/** Adopts the person's language unless this browser has one. @returns whether to reload */
export function adoptLanguage({ personalization }: Pick<User, 'personalization'>): boolean {
  if (localStorage.getItem(KEY) !== null) return false;
  const other = personalization.language !== currentLanguage();
  localStorage.setItem(KEY, personalization.language);
  return other;
}
