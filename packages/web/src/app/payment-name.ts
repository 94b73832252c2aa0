import { paymentName as nameIn } from '@yunxun/contract/payment-fields';
import { locale } from './i18n.ts';

/** A word that names none stays. */
export const paymentName = (method: string): string => nameIn(locale(), method) ?? method;
