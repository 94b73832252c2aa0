import { useNavigate } from '@tanstack/react-router';
import { closeLive } from '../live.ts';
import { queryClient, signOut } from '../session.ts';

/** Ends the session and goes to the sign-in page; `next` is where the next sign-in leads. */
export function useSignOut(): (next?: string) => Promise<void> {
  const navigate = useNavigate();
  return async (next) => {
    closeLive();
    await signOut();
    await navigate({ to: '/login', search: { next } as never });
    // the screen that is left still shows what it has read, so that is forgotten only after it
    queryClient.clear();
  };
}
