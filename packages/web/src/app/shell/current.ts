import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { may } from '../may-open.ts';
import type { RouteRow } from '../routes.ts';
import { userKey } from '../session.ts';
import type { User } from '../user.ts';

export function useCurrentRow(): RouteRow | undefined {
  return useRouterState({ select: (state) => state.matches.findLast((match) => match.staticData.row)?.staticData.row });
}

export function useOptionalParam(name: string): string | undefined {
  return useRouterState({
    select: (state) => (state.matches.at(-1)?.params as Record<string, string> | undefined)?.[name],
  });
}

export function useParam(name: string): string {
  const value = useOptionalParam(name);
  if (value === undefined) throw new Error(`this screen's path has no ${name}`);
  return value;
}

export function useUser(): User {
  const { data } = useQuery<User>({ queryKey: userKey, enabled: false });
  if (!data) throw new Error('no signed-in person outside the layout');
  return data;
}

export function useMay(permission: User['permissions'][number]): boolean {
  return may(useUser(), permission);
}
