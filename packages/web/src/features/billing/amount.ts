import { t } from '../../app/i18n.ts';

/** Returns the complaint about an amount in yuan as the contract takes it; null: none. */
export function amountWrong(text: string): string | null {
  return /^\d{1,6}(\.\d{1,2})?$/.test(text) ? null : t('validation.amount');
}
