import { useNavigate } from '@tanstack/react-router';
import { useSearch } from '../../app/search.ts';

/** Returns null for other sites: prevents open redirects. */
export function ownAddress(wanted: string | undefined): string | null {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(wanted, location.origin);
  return origin === location.origin ? pathname + search + hash : null;
}

/** Permits registration while it is closed; the server checks. */
export const isInvited = (next: string | undefined): boolean => Boolean(next?.startsWith('/invitation/'));

export function useAfterSignIn(): () => Promise<void> {
  const navigate = useNavigate();
  const [{ next }] = useSearch();
  return async () => {
    await navigate({ href: ownAddress(next) ?? '/', replace: true } as never);
  };
}
