/** Values of about this size in JSON that are most expensive to parse and check. */
export function worstValues(bytes: number): Record<string, string> {
  const count = (part: string) => Math.max(1, Math.floor((bytes - 20) / (part.length + 1)));
  const list = (part: string) => `[${Array.from({ length: count(part) }, () => part).join()}]`;
  const names = Array.from({ length: count('"k123456":0') }, (_none, index) => `"k${index}":0`);
  const depth = Math.floor(bytes / 2 - 20);
  return {
    text: `"${'x'.repeat(bytes - 20)}"`,
    astral: `"${'😀'.repeat(Math.floor(bytes / 4 - 20))}"`,
    escapes: `"${'\\"'.repeat(depth)}"`,
    number: '9'.repeat(bytes - 20),
    numbers: list('0'),
    texts: list('"00000000-0000-4000-8000-000000000000"'),
    short: list('""'),
    lists: list('[]'),
    objects: list('{}'),
    rows: list('{"a":[],"__proto__":{}}'),
    nested: `${'['.repeat(depth)}${']'.repeat(depth)}`,
    nestedObjects: `${'{"a":'.repeat(Math.floor(bytes / 6 - 20))}0${'}'.repeat(Math.floor(bytes / 6 - 20))}`,
    names: `{${names.join()}}`,
  };
}
