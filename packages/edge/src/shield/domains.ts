import type { ShieldCategory } from '@yunxun/contract/device';
import { domainForm } from '@yunxun/contract/device';

/** Yields `a.b.c`, `b.c`, `c`. */
function* above(name: string): Generator<string> {
  for (let at = 0; at !== -1; ) {
    yield name.slice(at);
    const dot = name.indexOf('.', at);
    at = dot === -1 ? -1 : dot + 1;
  }
}

/** Allowed ones win with all their subdomains. */
export class Domains {
  readonly #listed = new Map<string, ShieldCategory>();
  readonly #allowed: ReadonlySet<string>;

  /** @param max domains taken; the rest is ignored */
  constructor(lists: readonly { category: ShieldCategory; text: string }[], allowed: readonly string[], max: number) {
    this.#allowed = new Set(allowed);
    for (const { category, text } of lists)
      for (const line of text.split('\n')) {
        if (this.#listed.size >= max) return;
        if (domainForm.test(line) && !this.#listed.has(line)) this.#listed.set(line, category);
      }
  }

  /** Null: none, or allowed. */
  find(name: string): { domain: string; category: ShieldCategory } | null {
    let found: { domain: string; category: ShieldCategory } | null = null;
    for (const domain of above(name)) {
      if (this.#allowed.has(domain)) return null;
      const category = this.#listed.get(domain);
      if (category !== undefined && found === null) found = { domain, category };
    }
    return found;
  }

  /** Returns a listed domain that is refused; null if there is none. */
  example(): string | null {
    for (const domain of this.#listed.keys()) if (this.find(domain) !== null) return domain;
    return null;
  }

  /**
   * Returns dnsmasq's servers-file: a domain without server gets NXDOMAIN, `#` means the usual servers, the longest
   * domain wins. Omits domains below listed ones.
   */
  servers(): string {
    const lines: string[] = [];
    for (const domain of this.#listed.keys()) {
      const parent = domain.slice(domain.indexOf('.') + 1);
      if (this.find(domain) !== null && this.find(parent) === null) lines.push(`server=/${domain}/`);
    }
    for (const domain of this.#allowed)
      if ([...above(domain)].some((one) => this.#listed.has(one))) lines.push(`server=/${domain}/#`);
    return lines.length === 0 ? '' : `${lines.toSorted().join('\n')}\n`;
  }
}
