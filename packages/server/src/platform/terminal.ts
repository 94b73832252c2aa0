export type LinkLanguage = 'zh-CN' | 'en';

/** Returns the language of the environment (POSIX locale variables); null if it names none. */
export function languageOf(env: NodeJS.ProcessEnv): LinkLanguage | null {
  const name = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  if (/^zh/i.test(name)) return 'zh-CN';
  return /^[a-z]{2,3}_/i.test(name) ? 'en' : null;
}

/** Returns a link whose page opens in this language. */
export function linkIn(language: LinkLanguage | null, link: string): string {
  if (!language) return link;
  const url = new URL(link);
  url.searchParams.set('lang', language);
  return url.href;
}
