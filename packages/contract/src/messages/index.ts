import { en } from './en.ts';
import { format, type Locale, type MessageParams } from './format.ts';
import type { ParamsOf } from './params.ts';
import { zhCN } from './zh-CN.ts';

export { format, type Locale, locales, type MessageParams } from './format.ts';
export type { ParamsOf } from './params.ts';

/** Every key of the catalogue: `validation.<rule>`, `code.<name>`, `sms.<template>`, `mail.<template>.subject|text`. */
export type MessageKey = keyof typeof zhCN;
type Names<K extends MessageKey> = ParamsOf<(typeof zhCN)[K]>;

/** Both catalogues by language. */
export const catalogues: Readonly<Record<Locale, Readonly<Record<MessageKey, string>>>> = { 'zh-CN': zhCN, en };

/** A text of the catalogue, filled in; the compiler asks for exactly the placeholders that it has. */
export function message<K extends MessageKey>(
  locale: Locale,
  key: K,
  ...[params]: [Names<K>] extends [never] ? [] : [Readonly<Record<Names<K>, string | number>>]
): string {
  return format(locale, catalogues[locale][key], params ?? {});
}

/** The same for a key known only at run time (a failure's code, a rule's complaint); a key without a text answers itself. */
export function messageByKey(locale: Locale, key: string, params: MessageParams = {}): string {
  return Object.hasOwn(zhCN, key) ? format(locale, catalogues[locale][key as MessageKey], params) : key;
}
