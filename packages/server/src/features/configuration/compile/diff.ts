import type { configuration } from '@yunxun/contract';
import { isRecord } from '@yunxun/contract/device';
import { canonical } from './document.ts';
import { isSecret, masked, maskSecrets } from './mask.ts';

type Change = configuration.Change;

/**
 * Masks secrets. Matches list entries by identity (radio by band, interface and SSID by name), then in order, so that a
 * renamed SSID shows as renamed.
 */
export function diff(before: unknown, after: unknown): Change[] {
  const changes: Change[] = [];
  compare('', before, after, changes);
  return changes;
}

function compare(path: string, before: unknown, after: unknown, changes: Change[]): void {
  if (canonical(before ?? null) === canonical(after ?? null)) return;
  if (isRecord(before) && isRecord(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const inner = `${path}/${segment(name)}`;
      if (isSecret(name)) {
        if (before[name] !== after[name])
          changes.push({ path: inner, before: hide(before[name]), after: hide(after[name]) });
      } else compare(inner, before[name], after[name], changes);
    }
    return;
  }
  if (isEntries(before) && isEntries(after)) {
    for (const { name, from, to } of pair(before, after)) compare(`${path}/${segment(name)}`, from, to, changes);
    return;
  }
  changes.push({ path, before: maskSecrets(before ?? null), after: maskSecrets(after ?? null) });
}

function hide(value: unknown): string | null {
  return value === undefined || value === null ? null : masked;
}

function segment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

type Entry = Record<string, unknown>;

function isEntries(value: unknown): value is Entry[] {
  return Array.isArray(value) && value.every(isRecord);
}

interface Pair {
  name: string;
  from?: Entry;
  to?: Entry;
}

function nameOf(entry: Entry): string | null {
  const name = entry.band ?? entry.name ?? entry.id;
  return typeof name === 'string' || typeof name === 'number' ? String(name) : null;
}

function pair(before: readonly Entry[], after: readonly Entry[]): Pair[] {
  const rest = [...before];
  const pairs: Pair[] = after.map((to, index) => {
    const own = nameOf(to);
    const at = own === null ? -1 : rest.findIndex((entry) => nameOf(entry) === own);
    const found = at < 0 ? undefined : rest.splice(at, 1)[0];
    return { name: own ?? String(index), to, ...(found ? { from: found } : {}) };
  });
  for (const open of pairs) {
    if (open.from) continue;
    const left = rest.shift();
    if (!left) break;
    open.from = left;
    open.name = nameOf(left) ?? open.name;
  }
  return [...pairs, ...rest.map((from, index) => ({ name: nameOf(from) ?? String(after.length + index), from }))];
}
