import { withoutBidi } from '../plain-text.ts';

/** Chinese is the source language. */
export const locales = ['zh-CN', 'en'] as const;
export type Locale = (typeof locales)[number];

export type MessageParams = Readonly<Record<string, string | number>>;

const plurals = new Map<Locale, Intl.PluralRules>();
function pluralOf(locale: Locale, value: number): string {
  const found = plurals.get(locale) ?? new Intl.PluralRules(locale);
  plurals.set(locale, found);
  return found.select(value);
}

/** Returns the index of the closing brace, or the text's end. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
}

/** Returns the exact branch (`=0`), that of the category, or `other`. */
function branch(body: string, wanted: readonly string[]): string {
  const branches = new Map<string, string>();
  for (let at = 0, open = body.indexOf('{'); open >= 0; open = body.indexOf('{', at)) {
    const end = closing(body, open);
    branches.set(body.slice(at, open).trim(), body.slice(open + 1, end));
    at = end + 1;
  }
  return branches.get(wanted.find((name) => branches.has(name)) ?? 'other') ?? '';
}

/**
 * Formats an ICU subset: `{name}`, `{n, plural, =0 {…} one {…} other {…}}` with `#`, `{x, select, a {…} other {…}}`,
 * nested, no quoting. Placeholders without a value stay visible; values lose bidirectional controls.
 */
export function format(locale: Locale, text: string, params: MessageParams, number = ''): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('{', at);
    const plain = text.slice(at, open < 0 ? text.length : open);
    out += number ? plain.replaceAll('#', () => number) : plain;
    if (open < 0) break;
    const end = closing(text, open);
    at = end + 1;
    const [, name = '', kind, body = ''] =
      /^\s*(\w*)\s*(?:,\s*(\w+)\s*,)?([\s\S]*)$/.exec(text.slice(open + 1, end)) ?? [];
    const value = params[name];
    if (kind === 'plural') {
      const wanted = [`=${value}`, pluralOf(locale, Number(value))];
      out += format(locale, branch(body, wanted), params, String(value ?? `{${name}}`));
    } else if (kind) out += format(locale, branch(body, [String(value)]), params, number);
    else out += typeof value === 'string' ? withoutBidi(value) : (value ?? text.slice(open, at));
  }
  return out;
}
