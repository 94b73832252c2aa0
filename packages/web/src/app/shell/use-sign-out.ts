import { useNavigate } from '@tanstack/react-router';
import { mayLeavePage } from '../leaving.ts';
import { closeLive } from '../live.ts';
import { queryClient, signOut } from '../session.ts';

/** Ends the session and goes to the sign-in page; `next` is where the next sign-in leads. */
export function useSignOut(): (next?: string) => Promise<void> {
  const navigate = useNavigate();
  return async (next) => {
    // as long as the session is there to save with
    if (!(await mayLeavePage())) return;
    closeLive();
    await signOut();
    await navigate({ to: '/login', search: { next } as never, ignoreBlocker: true });
    // the screen that is left still shows what it has read, so that is forgotten only after it
    queryClient.clear();
  };
}
