import type { Socket } from 'node:net';
import type { Tx } from '../../platform/database/index.ts';
import { queryOf, relayed } from './adapters/edge.ts';
import { extensionOf } from './extension.ts';
import { secondsLeft } from './grant.ts';
import type { GuestSite } from './page-frame.ts';
import { createRelayLines } from './relay-lines.ts';
import type { PortalSecrets } from './secrets.ts';
import { onlineByMac, type Session } from './session-store.ts';

/** RFC 8908, section 5. */
export interface CaptiveStatus {
  captive: boolean;
  'user-portal-url': string;
  'venue-info-url'?: string;
  'can-extend-session'?: boolean;
  'seconds-remaining'?: number;
  'bytes-remaining'?: number;
}

export interface CaptiveRequest {
  line: string | null;
  socket: Socket;
  origin: string;
  now: Date;
}

export function createCaptiveApi({ secrets }: { secrets: PortalSecrets }) {
  const lines = createRelayLines();

  /** Returns null if the gateway did not name the client: a guess could keep a guest's phone from its network. */
  return async function status(tx: Tx, guest: GuestSite, request: CaptiveRequest): Promise<CaptiveStatus | null> {
    const { row, secret, oldSecret, site, key, published } = guest;
    const named = (own: string) => (row.gateway === 'edge' ? relayed(request.line, own, request.now) : null);
    const arrival = named(secret) ?? (oldSecret === null ? null : named(oldSecret));
    if (!arrival?.mac || !lines.take(site.gwid, request.line!, request.socket, request.now)) return null;
    const base = `${request.origin}/p/${key}`;
    const { jump } = published.content;
    const venue = jump.startsWith('https://') ? { 'venue-info-url': jump } : {};
    const session = await onlineByMac(tx, site, arrival.mac, request.now);
    // the console's own signature must not count as the gateway's use of the new secret
    const query = queryOf(arrival, oldSecret ?? secret);
    if (!session) return { captive: true, 'user-portal-url': `${base}/edge?${query}`, ...venue };
    const sealed = secrets.sealState(key, { session: session.id, arrival });
    return {
      captive: false,
      'user-portal-url': `${base}/wait?s=${sealed}`,
      'can-extend-session': extensionOf(guest, session, request.now) !== null,
      ...figuresOf(session, request.now),
      ...venue,
    };
  };
}

function figuresOf({ expires_at: end, max_bytes: max, up_bytes: up, down_bytes: down }: Session, now: Date) {
  const left = secondsLeft(end, now);
  return {
    ...(left === null ? {} : { 'seconds-remaining': left }),
    ...(max > 0 ? { 'bytes-remaining': Math.max(0, max - up - down) } : {}),
  };
}
