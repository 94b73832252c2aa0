/** One field whose value differs, as text. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** The text of a value; `field` is its path. */
export type Words = (field: string, value: unknown) => string;

/** What only programs know a thing by: the values beside it say what it is. */
const internal = ['id', 'version'];

/** What stands where there is no value. */
export const nothing = '—';

/** What differs between two values: one line per leaf, objects and lists of named things taken apart. */
export function changesOf(before: unknown, after: unknown, words: Words = plain): FieldChange[] {
  const old = leaves(before);
  const now = leaves(after);
  const said = (field: string, values: Map<string, unknown>) =>
    values.has(field) ? words(field, values.get(field)) : nothing;
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((field) => {
    const same = JSON.stringify(old.get(field)) === JSON.stringify(now.get(field));
    return same ? [] : [{ field, before: said(field, old), after: said(field, now) }];
  });
}

function leaves(value: unknown, path = '', out = new Map<string, unknown>()): Map<string, unknown> {
  if (value === null || value === undefined) return out;
  if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (!internal.includes(key)) leaves(each, path ? `${path}.${key}` : key, out);
    }
  } else if (Array.isArray(value) && value.some(isObject)) {
    for (const [index, each] of value.entries()) leaves(each, `${path}.${nameOf(each) ?? index + 1}`, out);
  } else if (!Array.isArray(value) || value.length > 0) out.set(path || '·', value);
  return out;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a thing in a list is known by: the name of an SSID, the band of a radio, the serial of a device. */
function nameOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  return [value.name, value.band, value.serial].find((name) => typeof name === 'string' && name !== '') as
    | string
    | undefined;
}

function plain(_field: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => plain('', each)).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
