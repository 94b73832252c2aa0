import type { FastifyRequest } from 'fastify';
import type { Arrival } from './adapters/adapter.ts';
import type { GuestSites } from './guest-site.ts';
import type { PortalSecrets } from './secrets.ts';

interface Carried {
  arrival?: Arrival;
  state?: { arrival?: Arrival };
}

export function createRequestSource({ secrets, sites }: { secrets: PortalSecrets; sites: GuestSites }) {
  function carried(key: string, sealed: string): Arrival | null {
    const found = secrets.openState(key, sealed) as Carried | null;
    return found?.arrival ?? found?.state?.arrival ?? null;
  }

  return async function deviceOf({ params, url, host, body }: FastifyRequest): Promise<string | null> {
    const { key, mark } = params as { key?: string; mark?: string };
    if (key === undefined) return null;
    const query = new URLSearchParams(url.split('?')[1] ?? '');
    const form = (typeof body === 'object' && body !== null ? body : {}) as Record<string, string>;
    const sealed = query.get('s') ?? form.s ?? form.state;
    const arrival = sealed ? carried(key, sealed) : await sites.arrivalOf(key, { url, host, query, mark });
    return arrival?.verified ? `${key} ${arrival.mac ?? arrival.client}` : null;
  };
}
