import type { configuration } from '@yunxun/contract';
import { isRecord } from '@yunxun/contract/device';

type Container = Record<string, unknown> | unknown[];

/** Inverts `diff`, except positions of new list entries. */
export function applyChanges(document: unknown, changes: readonly configuration.Change[]): unknown {
  const root: Container = { '': structuredClone(document) };
  const places = changes.map(({ path, after }) => {
    const segments = path.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = segments.pop()!;
    const inner = segments.reduce<Container>((at, segment) => at[keyOf(at, segment) as never] as Container, root);
    return { inner, last, after, entry: inner[keyOf(inner, last) as never] as unknown };
  });
  for (const { inner, last, after, entry } of places) {
    if (!Array.isArray(inner)) {
      if (after === null) delete inner[last];
      else inner[last] = structuredClone(after);
      continue;
    }
    const at = entry === undefined ? inner.length : inner.indexOf(entry);
    inner.splice(at, 1, ...(after === null ? [] : [structuredClone(after)]));
  }
  return root[''];
}

function keyOf(container: Container, segment: string): string | number {
  if (!Array.isArray(container)) return segment;
  const at = container.findIndex(
    (entry) => isRecord(entry) && String(entry.band ?? entry.name ?? entry.id) === segment,
  );
  return at >= 0
    ? at
    : /^\d+$/.test(segment) && Number(segment) < container.length
      ? Number(segment)
      : container.length;
}
