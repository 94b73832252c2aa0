import { format } from '@yunxun/contract/messages/format';
import { type Messages, type Part, parts } from '../messages/parts.ts';
import type { Language } from './language.ts';

/** A key of the zh-CN catalogue; the English one must hold exactly the same keys. */
export type MessageKey = keyof Messages;
/** Values for the placeholders of a text. */
export type Params = Readonly<Record<string, string | number>>;

let language: Language = 'zh-CN';
let catalogue: Readonly<Record<string, string>> = {};
const loaded = new Map<Part, Promise<void>>();

/** Sets the texts of every page; called once, before the first render (a change of language reloads the page). */
export function install(chosen: Language, messages: Readonly<Record<string, string>>): void {
  language = chosen;
  catalogue = messages;
}

/** Brings the texts of parts, once each; a screen's code is shown only after its texts are there. */
export async function loadTexts(...wanted: readonly Part[]): Promise<void> {
  await Promise.all(wanted.map((part) => loaded.get(part) ?? load(part)));
}

function load(part: Part): Promise<void> {
  const coming = parts[part][language]().then(
    (texts) => {
      catalogue = { ...catalogue, ...texts };
    },
    (error: unknown) => {
      // the next who asks tries again
      loaded.delete(part);
      throw error;
    },
  );
  loaded.set(part, coming);
  return coming;
}

/** The language of the page. */
export function locale(): Language {
  return language;
}

/** The text of a key in the page's language, placeholders and plurals filled in (ICU subset). */
export function t(key: MessageKey, params?: Params): string {
  const text = catalogue[key];
  if (text === undefined) throw new Error(`no text for ${key}`);
  return params ? format(language, text, params) : text;
}

/** The rest of those keys after a prefix whose text has a word in it, for searching what the page has words for. */
export function keysSaying(prefix: string, word: string): string[] {
  const wanted = word.toLowerCase();
  return Object.entries(catalogue)
    .filter(([key, text]) => key.startsWith(prefix) && text.toLowerCase().includes(wanted))
    .map(([key]) => key.slice(prefix.length));
}

/** The text of a key made from data (an enumeration's value, a code), or null when the catalogue has none. */
export function textOf(key: string, params?: Params): string | null {
  const text = catalogue[key];
  if (text === undefined) return null;
  return params ? format(language, text, params) : text;
}
