import { t } from '../../app/i18n.ts';

/** Reads an amount in yuan as the console answers it; floats do not add up exactly. */
export function fenOf(yuan: string): number {
  return Math.round(Number(yuan) * 100);
}

/** Returns the complaint about an amount in yuan as the contract takes it; null: none. */
export function amountWrong(text: string): string | null {
  return /^\d{1,6}(\.\d{1,2})?$/.test(text) ? null : t('validation.price');
}
