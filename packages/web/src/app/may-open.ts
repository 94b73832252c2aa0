import type { RouteRow } from './routes.ts';
import type { User } from './session.ts';

/** The person may open a row; menus and the guard ask the same question. */
export function mayOpen(row: RouteRow, user: User): boolean {
  if (row.needs === 'sdwan_status' && !user.sdwan_status) return false;
  if (row.needs === 'installation_admin' && !user.permissions.includes('install.admin')) return false;
  return !row.permission || user.permissions.includes(row.permission);
}
