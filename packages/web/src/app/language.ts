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
