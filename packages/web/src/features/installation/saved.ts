import type { QueryClient } from '@tanstack/react-query';

export async function deliveryChanged(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['/api/v3/install/detail'] });
  await client.invalidateQueries({ queryKey: ['/api/v3/open/installation'] });
}
