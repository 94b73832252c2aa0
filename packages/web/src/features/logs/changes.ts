/** One field whose value differs, as text. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** What differs between two values: one line per leaf, objects and lists of named things taken apart. */
export function changesOf(before: unknown, after: unknown): FieldChange[] {
  const old = leaves(before);
  const now = leaves(after);
  const fields = [...new Set([...old.keys(), ...now.keys()])];
  return fields.flatMap((field) => {
    const change = { field, before: old.get(field) ?? '—', after: now.get(field) ?? '—' };
    return change.before === change.after ? [] : [change];
  });
}

function leaves(value: unknown, path = '', out = new Map<string, string>()): Map<string, string> {
  if (value === null || value === undefined) return out;
  if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) leaves(each, path ? `${path}.${key}` : key, out);
  } else if (Array.isArray(value) && value.some(isObject)) {
    for (const [index, each] of value.entries()) leaves(each, `${path}.${nameOf(each) ?? index + 1}`, out);
  } else if (!Array.isArray(value) || value.length > 0) out.set(path || '·', textOf(value));
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

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
