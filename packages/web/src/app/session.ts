import { QueryClient } from '@tanstack/react-query';
import { acting, forgetActing, leaveIfLost } from './acting.ts';
import type { Data } from './api.ts';
import { ApiError } from './api-error.ts';
import { call, type callForToken } from './client.ts';
import { adoptLanguage } from './language.ts';
import { applyPreferences } from './preferences.ts';
import { adoptTheme, chosenTheme } from './theme.ts';
import { clearToken, keepToken, readToken } from './token.ts';

/** The signed-in person, as `/api/v3/user` answers. */
export type User = Data<'/api/v3/user'>;

/** The page's one cache. Lists keep their rows while the next page loads; nothing is fetched again on focus: live facts say what changed. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && error instanceof ApiError && (error.code === 0 || error.status >= 500),
    },
  },
});

export const userKey = ['/api/v3/user', {}] as const;
const userQuery = {
  queryKey: userKey,
  queryFn: () => call('/api/v3/user', {}),
  staleTime: Number.POSITIVE_INFINITY,
};
let justSignedIn = false;

/** Reads the person again, after something about it has changed. */
export async function refreshUser(): Promise<void> {
  try {
    applyPreferences(await queryClient.fetchQuery({ ...userQuery, staleTime: 0 }));
  } catch (error) {
    await (leaveIfLost(error) ?? Promise.reject(error));
  }
}

/** Where a navigation must go instead, or null when the person is known. */
export type Gate = { user: User } | { to: 'login'; ended: boolean } | { to: '404' };

/**
 * Loads the person once, on the way to a page; what a failure leads to is written in the spec's error catalogue. What the
 * person chose is in force before the page is drawn.
 */
export async function enter(wanted: string): Promise<Gate> {
  if (!readToken()) return { to: 'login', ended: false };
  try {
    const user = await queryClient.ensureQueryData(userQuery);
    adoptTheme(user.personalization.theme, justSignedIn);
    applyPreferences(user);
    if (justSignedIn && adoptLanguage(user)) {
      // texts are chosen once, at the start of a page: it begins again at the page that was wanted
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

/** Calls a sign-in endpoint and keeps its token; the server's theme wins on the way in. */
export async function signIn(ask: () => ReturnType<typeof callForToken>, remember: boolean): Promise<void> {
  const token = await ask();
  queryClient.clear();
  keepToken(token, remember);
  await forgetOthersActing();
  justSignedIn = true;
}

/** Makes an account and signs in to it; the theme that was chosen on the way is its first one, as the language is. */
export async function signUp(ask: () => ReturnType<typeof callForToken>, remember: boolean): Promise<void> {
  await signIn(ask, remember);
  const theme = chosenTheme();
  // a theme that could not be kept is no reason to stay at the door
  if (theme) await call('/api/v3/personalization/save', { theme }, { home: true }).catch(() => undefined);
}

/** Whoever signs in again goes on where the session ended; somebody else begins in the own account. */
async function forgetOthersActing(): Promise<void> {
  const { elsewhere, view } = acting();
  if (!elsewhere && !view) return;
  const user = await call('/api/v3/user', {}, { home: true }).catch(() => null);
  if (view || user?.id !== elsewhere?.person) forgetActing();
}

/** Forgets the session of this browser if it is over, as it is after a new password of its person was set. */
export async function forgetDeadSession(): Promise<void> {
  queryClient.removeQueries({ queryKey: userKey });
  if (!readToken()) return;
  await call('/api/v3/user', {}).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 4003) clearToken();
  });
}

/** Ends the session on the server as far as it can be reached, and here in any case. */
export async function signOut(): Promise<void> {
  await call('/api/v3/logout', {}, { home: true }).catch(() => undefined);
  forgetActing();
  clearToken();
}
