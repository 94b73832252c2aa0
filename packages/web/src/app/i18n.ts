import { format } from '@yunxun/contract/messages/format';
import { type Messages, type Part, parts } from '../messages/parts.ts';
import type { Language } from './language.ts';

/** Of zh-CN; English has the same. */
export type MessageKey = keyof Messages;
export type Params = Readonly<Record<string, string | number>>;

let language: Language = 'zh-CN';
let catalogue: Readonly<Record<string, string>> = {};
const loaded = new Map<Part, Promise<void>>();

/** Runs once: a language change reloads. */
export function install(chosen: Language, messages: Readonly<Record<string, string>>): void {
  language = chosen;
  catalogue = messages;
}

/** Loads each once; screens wait for it. */
export async function loadTexts(...wanted: readonly Part[]): Promise<void> {
  await Promise.all(wanted.map((part) => loaded.get(part) ?? load(part)));
}

function load(part: Part): Promise<void> {
  const coming = parts[part][language]().then(
    (texts) => {
      catalogue = { ...catalogue, ...texts };
    },
    (error: unknown) => {
      // lets the next call retry
      loaded.delete(part);
      throw error;
    },
  );
  loaded.set(part, coming);
  return coming;
}

export function locale(): Language {
  return language;
}

/** Fills placeholders and plurals (ICU subset). */
export function t(key: MessageKey, params?: Params): string {
  const text = catalogue[key];
  if (text === undefined) throw new Error(`no text for ${key}`);
  return params ? format(language, text, params) : text;
}

/** Returns keys, without `prefix`, whose text contains a word. */
export function keysSaying(prefix: string, word: string): string[] {
  const wanted = word.toLowerCase();
  return Object.entries(catalogue)
    .filter(([key, text]) => key.startsWith(prefix) && text.toLowerCase().includes(wanted))
    .map(([key]) => key.slice(prefix.length));
}

/** Returns null for an unknown key made from data. */
export function textOf(key: string, params?: Params): string | null {
  const text = catalogue[key];
  if (text === undefined) return null;
  return params ? format(language, text, params) : text;
}
