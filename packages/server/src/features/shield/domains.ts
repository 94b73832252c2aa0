import { isIP } from 'node:net';

/** Lower case, at least two labels; the agent accepts the same. */
const form = /^(?=.{3,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns a domain in lower case, without a final dot; null if the text is none. */
export function readDomain(text: string): string | null {
  const domain = text.toLowerCase().replace(/\.$/, '');
  return form.test(domain) && isIP(domain) === 0 ? domain : null;
}

/** Returns the domain of a link; the scheme may be missing, and `*.` before the domain is ignored. */
export function domainOfLink(link: string): string | null {
  const plain = link.trim().replace(/^([a-z]+:\/\/)?\*\./i, '$1');
  const full = /^[a-z]+:\/\//i.test(plain) ? plain : `https://${plain}`;
  if (!/^https?:/i.test(full) || /\s/.test(full) || !URL.canParse(full)) return null;
  return readDomain(new URL(full).hostname);
}

/** Names that hosts files give to the machine itself. */
const local = new Set(['localhost.localdomain', 'localhost6.localdomain6']);

/**
 * Reads a hosts file (`0.0.0.0 domain …`) or a domain per line; `#` starts a comment. Returns sorted domains; null if
 * fewer than half of the lines are of these forms.
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
