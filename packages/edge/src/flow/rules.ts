import { type ApplicationCategory, applicationCategories } from '@yunxun/contract/device';

export type Match =
  | { kind: 'name'; suffix: string }
  | { kind: 'ports'; protocol: 'tcp' | 'udp'; from: number; to: number };

export interface Rule {
  match: Match;
  category: ApplicationCategory;
}

export interface WrittenRule {
  match: string;
  category: ApplicationCategory;
}

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const categories: ReadonlySet<string> = new Set(applicationCategories);

export function readMatch(text: string): Match | null {
  const ports = /^(tcp|udp)\/(\d{1,5})(?:-(\d{1,5}))?$/.exec(text);
  if (ports) {
    const from = Number(ports[2]);
    const to = Number(ports[3] ?? ports[2]);
    if (from < 1 || to > 65_535 || from > to) return null;
    return { kind: 'ports', protocol: ports[1] === 'tcp' ? 'tcp' : 'udp', from, to };
  }
  const suffix = readName(text);
  return suffix === null || /^[\d.]+$/.test(suffix) ? null : { kind: 'name', suffix };
}

export function readName(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, '');
  if (name.length === 0 || name.length > 253) return null;
  return name.split('.').every((part) => label.test(part)) ? name : null;
}

/**
 * Parses a category per line with a colon (`Video:`), below it names and ports separated by blanks; `#` starts a
 * comment. `wrong`: unreadable lines.
 */
export function readRules(text: string): { rules: Rule[]; wrong: { line: number; text: string }[] } {
  const rules: Rule[] = [];
  const wrong: { line: number; text: string }[] = [];
  let category: ApplicationCategory | null = null;
  for (const [index, full] of text.split(/\r?\n/).entries()) {
    const line = full.replace(/#.*$/, '').trim();
    if (line === '') continue;
    const heading = /^([A-Za-z]+):$/.exec(line)?.[1];
    if (heading !== undefined) {
      category = isCategory(heading) ? heading : null;
      if (category === null) wrong.push({ line: index + 1, text: line });
      continue;
    }
    for (const word of line.split(/\s+/)) {
      const match = readMatch(word);
      if (match && category) rules.push({ match, category });
      else wrong.push({ line: index + 1, text: word });
    }
  }
  return { rules, wrong };
}

export function readWritten(written: readonly WrittenRule[]): Rule[] {
  return written.flatMap(({ match, category }) => {
    const read = readMatch(match);
    return read && isCategory(category) ? [{ match: read, category }] : [];
  });
}

function isCategory(text: string): text is ApplicationCategory {
  return categories.has(text);
}

export interface Traits {
  name: string | null;
  protocol: string;
  port: number | null;
}

export interface Decision {
  category: ApplicationCategory;
  byName: boolean;
}

interface PortRule {
  protocol: string;
  from: number;
  to: number;
  category: ApplicationCategory;
}

/**
 * By source in order of precedence. Names decide first (longest match), then ports (narrowest range), else `Unknown`.
 */
export class Rules {
  readonly #names: Map<string, ApplicationCategory>[] = [];
  readonly #ports: PortRule[][] = [];

  constructor(authors: readonly (readonly Rule[])[]) {
    for (const rules of authors) {
      const names = new Map<string, ApplicationCategory>();
      const ports: PortRule[] = [];
      for (const { match, category } of rules) {
        if (match.kind === 'name') names.set(match.suffix, category);
        else ports.push({ ...match, category });
      }
      this.#names.push(names);
      this.#ports.push(ports.sort((a, b) => a.to - a.from - (b.to - b.from)));
    }
  }

  categoryOf({ name, protocol, port }: Traits): Decision {
    for (const names of name === null ? [] : this.#names) {
      for (let rest: string | undefined = name!; rest !== undefined; rest = parentOf(rest)) {
        const category = names.get(rest);
        if (category !== undefined) return { category, byName: true };
      }
    }
    for (const ports of port === null ? [] : this.#ports) {
      const rule = ports.find((one) => one.protocol === protocol && port! >= one.from && port! <= one.to);
      if (rule) return { category: rule.category, byName: false };
    }
    return { category: protocol === 'icmp' || protocol === 'icmpv6' ? 'Test' : 'Unknown', byName: false };
  }
}

function parentOf(name: string): string | undefined {
  const dot = name.indexOf('.');
  return dot < 0 ? undefined : name.slice(dot + 1);
}
