import { t } from '../../app/i18n.ts';
import { browserName } from '../../ui/browser-name.ts';

/** What a `User-Agent` says it is, in words. */
export function browserWords(userAgent: string): string {
  const { browser, system } = browserName(userAgent);
  if (browser && system) return t('auth.browser_on', { browser, system });
  return browser ?? system ?? t('auth.program');
}
