import { createHmac } from 'node:crypto';
import type { Arrival, PortalAdapter, RedirectRequest } from './adapter.ts';

export interface GatewaySecrets {
  secret: string;
  /** Counts until `secret` is seen in use. */
  oldSecret: string | null;
}

/** Names a secret in the path of openNDS, whose redirects of levels 1 and 4 show it in no other way. */
export const markOf = (secret: string): string =>
  createHmac('sha256', secret).update('settings').digest('base64url').slice(0, 8);

/** Returns null if neither secret vouches for the client. */
export function arrivalWith(
  adapter: PortalAdapter,
  request: RedirectRequest,
  { secret, oldSecret }: GatewaySecrets,
): Arrival | null {
  const arrival = adapter.arrival(request, secret);
  if (oldSecret === null || (arrival && (arrival.verified || request.mark !== undefined))) return arrival;
  const earlier = adapter.arrival(request, oldSecret);
  return earlier && { ...earlier, old: true };
}

export const secretOf = ({ secret, oldSecret }: GatewaySecrets, { old }: Arrival): string =>
  old && oldSecret !== null ? oldSecret : secret;
