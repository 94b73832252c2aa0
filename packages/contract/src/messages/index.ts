import { en, zhCN } from './catalogues.ts';
import { format, type Locale, type MessageParams } from './format.ts';
import type { ParamsOf } from './params.ts';

export { format, type Locale, locales, type MessageParams } from './format.ts';
export type { ParamsOf } from './params.ts';

export type MessageKey = keyof typeof zhCN;
type Names<K extends MessageKey> = ParamsOf<(typeof zhCN)[K]>;

export const catalogues: Readonly<Record<Locale, Readonly<Record<MessageKey, string>>>> = { 'zh-CN': zhCN, en };

/** Formats a text; parameters are type-checked. */
export function message<K extends MessageKey>(
  locale: Locale,
  key: K,
  ...[params]: [Names<K>] extends [never] ? [] : [Readonly<Record<Names<K>, string | number>>]
): string {
  return format(locale, catalogues[locale][key], params ?? {});
}

/** Returns an unknown key itself. */
export function messageByKey(locale: Locale, key: string, params: MessageParams = {}): string {
  return Object.hasOwn(zhCN, key) ? format(locale, catalogues[locale][key as MessageKey], params) : key;
}
