import { useNavigate } from '@tanstack/react-router';
import { useSearch } from '../../app/search.ts';

/** Goes to the page that was asked for before sign-in, or to the overview. Only addresses of this console are followed. */
export function useAfterSignIn(): () => Promise<void> {
  const navigate = useNavigate();
  const [{ next }] = useSearch();
  return async () => {
    const wanted = next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : '/';
    await navigate({ href: wanted, replace: true } as never);
  };
}
