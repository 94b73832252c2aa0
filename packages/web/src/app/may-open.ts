import type { RouteRow } from './routes.ts';
import type { User } from './session.ts';

/** The person may open a row; the guard asks this. */
export function mayOpen(row: RouteRow, user: User): boolean {
  if (row.needs === 'sdwan_status' && !user.sdwan_status) return false;
  return !row.permission || user.permissions.includes(row.permission);
}

/** A menu shows a row. /install is open to whoever holds the set-up link, but only administrators see its entry. */
export function maySee(row: RouteRow, user: User): boolean {
  return mayOpen(row, user) && (row.needs !== 'installation_admin' || user.permissions.includes('install.admin'));
}
