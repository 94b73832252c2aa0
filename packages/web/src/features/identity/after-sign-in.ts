import { useNavigate } from '@tanstack/react-router';
import { useSearch } from '../../app/search.ts';

/** A wanted address as a path of this console; null for another site's, however it is written. */
export function ownAddress(wanted: string | undefined): string | null {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(wanted, location.origin);
  return origin === location.origin ? pathname + search + hash : null;
}

/** Whoever was invited may register while registration is closed to strangers; the server looks whether they were. */
export const isInvited = (next: string | undefined): boolean => Boolean(next?.startsWith('/invitation/'));

/** Goes to the page that was asked for before sign-in, or to the overview. Only addresses of this console are followed. */
export function useAfterSignIn(): () => Promise<void> {
  const navigate = useNavigate();
  const [{ next }] = useSearch();
  return async () => {
    await navigate({ href: ownAddress(next) ?? '/', replace: true } as never);
  };
}
