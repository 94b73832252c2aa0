import type { QueryClient } from '@tanstack/react-query';

export async function deliveryChanged(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['/api/v3/install/detail'] });
  await client.invalidateQueries({ queryKey: ['/api/v3/open/installation'] });
}

export function alike(one: object, other: object): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object'
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
