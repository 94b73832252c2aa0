import type { Data } from '../../app/api.ts';

/** What the page of a link needs to show its session. */
export interface GuestSession extends Data<'/api/v3/remote/link/open'> {
  offer: Pick<Data<'/api/v3/remote/link/look'>, 'target' | 'network' | 'kind' | 'purpose'>;
}

const keyOf = (secret: string) => `yunxun.remote-link.${secret}`;

export function keptSession(secret: string): GuestSession | null {
  const kept = sessionStorage.getItem(keyOf(secret));
  return kept === null ? null : (JSON.parse(kept) as GuestSession);
}

/**
 * Keeps the session of a used link for this tab while its page is away, as during a reload. Nothing is stored while the
 * page is shown, because a duplicate of the tab copies its storage. Returns a function that ends this.
 */
export function keepWhileAway(secret: string, session: GuestSession): () => void {
  const drop = () => sessionStorage.removeItem(keyOf(secret));
  const keep = () => sessionStorage.setItem(keyOf(secret), JSON.stringify(session));
  drop();
  addEventListener('pagehide', keep);
  addEventListener('pageshow', drop);
  return () => {
    removeEventListener('pagehide', keep);
    removeEventListener('pageshow', drop);
  };
}
