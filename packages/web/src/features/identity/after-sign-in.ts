import { useNavigate } from '@tanstack/react-router';
import { useSearch } from '../../app/search.ts';

/** Returns an address as a path of this console; null for another site's. Prevents open redirects. */
export function ownAddress(wanted: string | undefined): string | null {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(wanted, location.origin);
  return origin === location.origin ? pathname + search + hash : null;
}

/**
 * Returns whether an invitation is being followed; it permits registration while registration is closed. The server
 * checks that.
 */
export const isInvited = (next: string | undefined): boolean => Boolean(next?.startsWith('/invitation/'));

export function useAfterSignIn(): () => Promise<void> {
  const navigate = useNavigate();
  const [{ next }] = useSearch();
  return async () => {
    await navigate({ href: ownAddress(next) ?? '/', replace: true } as never);
  };
}
