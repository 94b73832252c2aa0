/** One field whose value differs, as text. */
export interface FieldChange {
  /** Its path, step by step: a name in it may have any character. */
  field: readonly string[];
  before: string;
  after: string;
}

/** The text of a value; `name` is the last step of its path. */
export type Words = (name: string, value: unknown) => string;

/** What only programs know a thing by: the values beside it say what it is. */
const internal = ['id', 'version'];

/** What stands where there is no value. */
export const nothing = '—';

/** What differs between two values: one line per leaf, objects and lists of named things taken apart. */
export function changesOf(before: unknown, after: unknown, words: Words = plain): FieldChange[] {
  const old = leaves(before);
  const now = leaves(after);
  const said = (path: string, field: readonly string[], values: Leaves) => {
    const leaf = values.get(path);
    return leaf ? words(field.at(-1) ?? '', leaf.value) : nothing;
  };
  return [...new Map([...old, ...now])].flatMap(([path, { field }]) => {
    const same = JSON.stringify(old.get(path)?.value) === JSON.stringify(now.get(path)?.value);
    return same ? [] : [{ field, before: said(path, field, old), after: said(path, field, now) }];
  });
}

type Leaves = Map<string, { field: readonly string[]; value: unknown }>;

function leaves(value: unknown, field: readonly string[] = [], out: Leaves = new Map()): Leaves {
  if (value === null || value === undefined) return out;
  if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (!internal.includes(key)) leaves(each, [...field, key], out);
    }
  } else if (Array.isArray(value) && value.some(isObject)) {
    for (const [index, each] of value.entries()) leaves(each, [...field, nameOf(each) ?? String(index + 1)], out);
  } else if (!Array.isArray(value) || value.length > 0) {
    const own = field.length > 0 ? field : ['·'];
    out.set(JSON.stringify(own), { field: own, value });
  }
  return out;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What a thing in a list is known by: the name of an SSID, the band of a radio, the serial of a device, the terminal of a
 * lease, the port of a forward, where a route leads.
 */
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
