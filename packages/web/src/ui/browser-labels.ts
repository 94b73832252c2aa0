import { t } from '../app/i18n.ts';
import { browserName } from './browser-name.ts';

export function browserLabels(userAgent: string): string {
  const { browser, system } = browserName(userAgent);
  if (browser && system) return t('auth.browser_on', { browser, system });
  return browser ?? system ?? t('auth.program');
}
