export interface FieldChange {
  /** Names may contain any character. */
  field: readonly string[];
  before: string;
  after: string;
}

export type Labels = (name: string, value: unknown) => string;

/** Fields left out: meaningful only to programs. */
const internal = ['id', 'version'];

export const nothing = '—';

/** Order lists: a rename within them is not a change. */
const orders = ['line_order'];

/** One row per leaf; lists match by name. A renamed item has its new name. */
export function changesOf(before: unknown, after: unknown, labels: Labels = plain): FieldChange[] {
  const renamed: Renamed = new Map();
  follow(before, after, renamed);
  const old = leaves(before, renamed);
  const now = leaves(after);
  const names = new Map([...renamed].map(([thing, name]) => [nameOf(thing), name]));
  const inOrder = (field: readonly string[], value: unknown) =>
    orders.includes(field.at(-1) ?? '') && Array.isArray(value) ? value.map((name) => names.get(name) ?? name) : value;
  const texts = (path: string, field: readonly string[], values: Leaves) => {
    const leaf = values.get(path);
    return leaf ? labels(field.at(-1) ?? '', leaf.value) : nothing;
  };
  return [...new Map([...old, ...now])].flatMap(([path, { field }]) => {
    const same = JSON.stringify(inOrder(field, old.get(path)?.value)) === JSON.stringify(now.get(path)?.value);
    return same ? [] : [{ field, before: texts(path, field, old), after: texts(path, field, now) }];
  });
}

type Leaves = Map<string, { field: readonly string[]; value: unknown }>;
type Renamed = Map<unknown, string>;
const noneRenamed: Renamed = new Map();

function follow(old: unknown, now: unknown, renamed: Renamed): void {
  if (isObject(old) && isObject(now)) {
    for (const [key, each] of Object.entries(old)) follow(each, now[key], renamed);
  }
  if (!Array.isArray(old) || !Array.isArray(now)) return;
  const called = (list: unknown[], thing: unknown) =>
    nameOf(thing) === undefined ? undefined : list.find((each) => nameOf(each) === nameOf(thing));
  const gone = old.filter((thing) => isObject(thing) && !called(now, thing));
  for (const thing of now.filter(isObject)) {
    const known = called(old, thing);
    const name = nameOf(thing);
    const lasts = lastingOf(thing);
    const at = known || !name || !lasts ? -1 : gone.findIndex((each) => lastingOf(each) === lasts);
    const was = known ?? (at < 0 ? undefined : gone.splice(at, 1)[0]);
    if (!known && was && name) renamed.set(was, name);
    follow(was, thing, renamed);
  }
}

/** Survives a rename: id, WAN port, LAN or lease address, limited client, forward target. */
function lastingOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { id, addressing, port, pool, mac, address, kind, target, to_port } = value;
  if (typeof id === 'string') return id;
  if (addressing !== undefined) return JSON.stringify(port);
  if (pool !== undefined || mac !== undefined) return JSON.stringify(address);
  if (target !== undefined) return JSON.stringify([kind, target]);
  return typeof to_port === 'string' ? JSON.stringify([address, to_port]) : undefined;
}

function leaves(
  value: unknown,
  renamed: Renamed = noneRenamed,
  field: readonly string[] = [],
  out: Leaves = new Map(),
): Leaves {
  if (value === null || value === undefined) return out;
  if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (!internal.includes(key)) leaves(each, renamed, [...field, key], out);
    }
  } else if (Array.isArray(value) && value.some(isObject)) {
    for (const [index, each] of value.entries())
      leaves(each, renamed, [...field, renamed.get(each) ?? nameOf(each) ?? String(index + 1)], out);
  } else if (!Array.isArray(value) || value.length > 0) {
    const own = field.length > 0 ? field : ['·'];
    out.set(JSON.stringify(own), { field: own, value });
  }
  return out;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { name, band, serial, mac, protocol, port, to } = value;
  const forward = typeof protocol === 'string' && typeof port === 'string' ? `${protocol} ${port}` : undefined;
  return [name, band, serial, mac, forward, to].find((known) => typeof known === 'string' && known !== '') as
    | string
    | undefined;
}

function plain(_name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => plain('', each)).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
