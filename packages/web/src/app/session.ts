import { QueryClient } from '@tanstack/react-query';
import { forgetActing, leaveIfLost } from './acting.ts';
import { ApiError } from './api-error.ts';
import { call } from './client.ts';
import { adoptLanguage } from './language.ts';
import { applyPreferences } from './preferences.ts';
import { forgetRecent } from './recent-key.ts';
import { adoptTheme } from './theme.ts';
import { clearToken, readToken } from './token.ts';
import type { User } from './user.ts';

/** Query cache. Lists keep their rows while the next page loads. No refetch on focus: live facts invalidate. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      // the default waits for a network
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (count, error) => count < 2 && error instanceof ApiError && (error.code === 0 || error.status >= 500),
      retryDelay: 1000,
    },
    mutations: { networkMode: 'always' },
  },
});

export const userKey = ['/api/v3/user', {}] as const;
const userQuery = {
  queryKey: userKey,
  queryFn: () => call('/api/v3/user', {}),
  staleTime: Number.POSITIVE_INFINITY,
};
let justSignedIn = false;

export async function refreshUser(): Promise<void> {
  try {
    applyPreferences(await queryClient.fetchQuery({ ...userQuery, staleTime: 0 }));
  } catch (error) {
    await (leaveIfLost(error) ?? Promise.reject(error));
  }
}

export type Gate = { user: User } | { to: 'login'; ended: boolean } | { to: '404' };

/** Loads the person once before a page opens. The redirects on errors are fixed (docs/adr/0039). */
export async function enter(wanted: string): Promise<Gate> {
  if (!readToken()) return { to: 'login', ended: false };
  try {
    const user = await queryClient.ensureQueryData(userQuery);
    adoptTheme(user.personalization.theme, justSignedIn);
    applyPreferences(user);
    if (justSignedIn && adoptLanguage(user)) {
      // texts are loaded once per page load: reload with the new language
      location.replace(wanted);
      await new Promise(() => {});
    }
    justSignedIn = false;
    return { user };
  } catch (error) {
    if (error instanceof ApiError && (error.code === 4003 || error.code === 401)) {
      clearToken();
      return { to: 'login', ended: true };
    }
    await leaveIfLost(error);
    return { to: '404' };
  }
}

export function markSignedIn(): void {
  justSignedIn = true;
}

export async function forgetDeadSession(): Promise<void> {
  queryClient.removeQueries({ queryKey: userKey });
  if (!readToken()) return;
  await call('/api/v3/user', {}).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 4003) clearToken();
  });
}

/** Ends the session on the server if reachable, and always here. */
export async function signOut(): Promise<void> {
  // the next person at this browser must not see the alarms
  await import('./push-browser.ts').then(({ forgetBrowser }) => forgetBrowser()).catch(() => undefined);
  await call('/api/v3/logout', {}, { home: true }).catch(() => undefined);
  forgetActing();
  forgetRecent();
  clearToken();
}
