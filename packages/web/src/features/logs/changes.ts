/** One field whose value differs, as text. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** What differs between two values: one line per leaf, objects taken apart, lists kept whole. */
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
  if (value === null || value === undefined) {
    if (path) out.set(path, '—');
  } else if (typeof value === 'object' && !Array.isArray(value)) {
    for (const [key, each] of Object.entries(value)) leaves(each, path ? `${path}.${key}` : key, out);
  } else out.set(path || '·', typeof value === 'string' ? value : JSON.stringify(value));
  return out;
}
