import { QueryClient } from '@tanstack/react-query';
import { acting, beginIn, forgetActing, lastAccount, leaveIfLost } from './acting.ts';
import type { Row } from './api.ts';
import { ApiError } from './api-error.ts';
import { call, type callForToken } from './client.ts';
import { adoptLanguage } from './language.ts';
import { applyPreferences } from './preferences.ts';
import { forgetRecent } from './recent-key.ts';
import { adoptTheme, chosenTheme } from './theme.ts';
import { clearToken, keepToken, readToken } from './token.ts';
import type { User } from './user.ts';

/** Query cache. Lists keep their rows while the next page loads. No refetch on focus: live facts invalidate. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      // the library would wait for a network without a word
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

export async function signIn(ask: () => ReturnType<typeof callForToken>, remember: boolean): Promise<void> {
  const token = await ask();
  queryClient.clear();
  keepToken(token, remember);
  await settleActing();
  justSignedIn = true;
}

export async function signUp(ask: () => ReturnType<typeof callForToken>, remember: boolean): Promise<void> {
  await signIn(ask, remember);
  const theme = chosenTheme();
  // an unsaved theme must not fail the sign-up
  if (theme) await call('/api/v3/personalization/save', { theme }, { home: true }).catch(() => undefined);
}

const home = { home: true } as const;

/** Keeps the active account if the same person signs in again, else returns to where the person worked last. */
async function settleActing(): Promise<void> {
  const { elsewhere, view } = acting();
  const user = await call('/api/v3/user', {}, home).catch(() => null);
  if (!view && user && user.id === elsewhere?.person) return;
  forgetActing();
  const place = user && (await placeOf(user.id).catch(() => null));
  if (place) beginIn({ account: place.account_id, name: place.name, person: user.id });
  else if (user) queryClient.setQueryData(userKey, user);
}

/** Undefined: the own account. Whose own has no networks begins where they are a member. */
async function placeOf(person: string): Promise<Row<'/api/v3/account/list'> | undefined> {
  const last = lastAccount(person);
  if (last === '') return;
  const { list } = await call('/api/v3/account/list', {}, home);
  if (last !== null) return list.find(({ account_id, own }) => account_id === last && !own);
  const joined = list.find(({ own, role }) => role && !own);
  return joined && (await call('/api/v3/network/list', { page: 1, limit: 1 }, home)).total === 0 ? joined : undefined;
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
