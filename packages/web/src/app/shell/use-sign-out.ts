import { useNavigate } from '@tanstack/react-router';
import { mayLeavePage } from '../leaving.ts';
import { closeLive } from '../live.ts';
import { queryClient, signOut } from '../session.ts';

/** `next`: target of the next sign-in. */
export function useSignOut(): (next?: string) => Promise<void> {
  const navigate = useNavigate();
  return async (next) => {
    // saving needs the session
    if (!(await mayLeavePage())) return;
    closeLive();
    await signOut();
    await navigate({ to: '/login', search: { next } as never, ignoreBlocker: true });
    // clear last: the old screen still renders cached data
    queryClient.clear();
  };
}
