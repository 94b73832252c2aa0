import { acting, beginIn, forgetActing, lastAccount } from './acting.ts';
import type { Row } from './api.ts';
import { call, type callForToken } from './client.ts';
import { markSignedIn, queryClient } from './session.ts';
import { chosenTheme } from './theme.ts';
import { keepToken } from './token.ts';

export async function signIn(ask: () => ReturnType<typeof callForToken>, remember: boolean): Promise<void> {
  const token = await ask();
  queryClient.clear();
  keepToken(token, remember);
  await settleActing();
  markSignedIn();
}

export async function signUp(ask: () => ReturnType<typeof callForToken>, remember: boolean): Promise<void> {
  await signIn(ask, remember);
  const theme = chosenTheme();
  // an unsaved theme must not fail the sign-up
  if (theme) await call('/api/v3/personalization/save', { theme }, { home: true }).catch(() => undefined);
}

const home = { home: true } as const;

/** Returns to where the same person works or worked last. */
async function settleActing(): Promise<void> {
  const { elsewhere, view } = acting();
  const user = await call('/api/v3/user', {}, home).catch(() => null);
  if (!view && user && user.id === elsewhere?.person) return;
  forgetActing();
  const place = user && (await placeOf(user.id).catch(() => null));
  if (place) beginIn({ account: place.account_id, name: place.name, person: user.id });
}

/** Undefined: the own account. */
async function placeOf(person: string): Promise<Row<'/api/v3/account/list'> | undefined> {
  const last = lastAccount(person);
  if (last === '') return;
  const { list } = await call('/api/v3/account/list', {}, home);
  if (last !== null) return list.find(({ account_id, own }) => account_id === last && !own);
  const joined = list.find(({ own, role }) => role && !own);
  return joined && (await call('/api/v3/network/list', { page: 1, limit: 1 }, home)).total === 0 ? joined : undefined;
}
