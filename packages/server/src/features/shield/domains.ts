import { isIP } from 'node:net';

/** As in the agent. */
const form = /^(?=.{3,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Lowers case, drops a final dot; null if invalid. */
export function readDomain(text: string): string | null {
  const domain = text.toLowerCase().replace(/\.$/, '');
  return form.test(domain) && isIP(domain) === 0 ? domain : null;
}

/** Accepts links without scheme; ignores `*.`. */
export function domainOfLink(link: string): string | null {
  const plain = link.trim().replace(/^([a-z]+:\/\/)?\*\./i, '$1');
  const full = /^[a-z]+:\/\//i.test(plain) ? plain : `https://${plain}`;
  if (!/^https?:/i.test(full) || /\s/.test(full) || !URL.canParse(full)) return null;
  return readDomain(new URL(full).hostname);
}

/** The machine's own names in hosts files. */
const local = new Set(['localhost.localdomain', 'localhost6.localdomain6']);

/**
 * Parses hosts files (`0.0.0.0 domain …`) or a domain per line; `#` comments. Sorted; null if fewer than half of the
 * lines fit.
 */
export function parseList(text: string): string[] | null {
  const domains = new Set<string>();
  const lines = { read: 0, wrong: 0 };
  for (const full of text.split('\n')) {
    const words = full.replace(/#.*$/, '').trim().split(/\s+/);
    if (words[0] === '') continue;
    const isHosts = isIP(words[0]!) !== 0;
    const names = isHosts ? words.slice(1) : words;
    const found = names.flatMap((name) => readDomain(name) ?? []).filter((name) => !local.has(name));
    if (isHosts || (names.length === 1 && found.length === 1)) lines.read += 1;
    else lines.wrong += 1;
    if (isHosts || names.length === 1) for (const name of found) domains.add(name);
  }
  return domains.size === 0 || lines.wrong > lines.read ? null : [...domains].toSorted();
}
