import { useSyncExternalStore } from 'react';
import type { MessageKey } from '../i18n.ts';
import { maySee } from '../may-open.ts';
import { layoutRoutes, type RouteRow } from '../routes.ts';
import type { User } from '../user.ts';

export const barEntries: readonly { path: string; label: MessageKey }[] = [
  { path: '/', label: 'phone.home' },
  { path: '/alarm', label: 'phone.alarms' },
  { path: '/networks', label: 'phone.networks' },
  { path: '/networks/online_users/{-$gwid}', label: 'phone.clients' },
  { path: '/messages', label: 'phone.messages' },
];

const inBar = new Set(barEntries.map(({ path }) => path));

/** Screens that fit phones, except those in bar and user menu. */
export function besideBar(user: User): RouteRow[] {
  return layoutRoutes.filter(
    (row) => row.phone && row.menu && row.needs !== 'oneself' && !inBar.has(row.path) && maySee(row, user),
  );
}

export function barOf(user: User): readonly { row: RouteRow; label: MessageKey }[] {
  const own = barEntries.flatMap(({ path, label }) =>
    layoutRoutes.filter((row) => row.path === path && maySee(row, user)).map((row) => ({ row, label })),
  );
  return own.length > 0
    ? own
    : besideBar(user)
        .slice(0, barEntries.length)
        .map((row) => ({ row, label: row.title }));
}

/** The width of phone.css. */
const phones = () => matchMedia('(width <= 600px)');

function subscribe(changed: () => void): () => void {
  const query = phones();
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

export const useOnPhone = (): boolean => useSyncExternalStore(subscribe, () => phones().matches);
