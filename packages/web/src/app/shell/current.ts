import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { may } from '../may-open.ts';
import type { RouteRow } from '../routes.ts';
import { type User, userKey } from '../session.ts';

/** The row of the routes table that is on screen. */
export function useCurrentRow(): RouteRow | undefined {
  return useRouterState({ select: (state) => state.matches.findLast((match) => match.staticData.row)?.staticData.row });
}

/** A parameter that the address may leave out. */
export function useOptionalParam(name: string): string | undefined {
  return useRouterState({
    select: (state) => (state.matches.at(-1)?.params as Record<string, string> | undefined)?.[name],
  });
}

/** A parameter of the address. */
export function useParam(name: string): string {
  const value = useOptionalParam(name);
  if (value === undefined) throw new Error(`this screen's path has no ${name}`);
  return value;
}

/** The signed-in person; only inside the layout, whose guard has loaded it. */
export function useUser(): User {
  const { data } = useQuery<User>({ queryKey: userKey, enabled: false });
  if (!data) throw new Error('no signed-in person outside the layout');
  return data;
}

/** Whether the person may do what the permission names, in the account acted in; menus and buttons ask this. */
export function useMay(permission: User['permissions'][number]): boolean {
  return may(useUser(), permission);
}
