import type { RouteRow } from './routes.ts';
import type { User } from './user.ts';

/**
 * Returns whether the person has the permission in the active account. In a preview no write permission holds, as in
 * the contract's `refusal`.
 */
export function may(user: User, permission: User['permissions'][number]): boolean {
  return user.permissions.includes(permission) && !(user.viewing && !permission.endsWith('.read'));
}

export function mayOpen(row: RouteRow, user: User): boolean {
  return refusedFor(row, user) === null;
}

/** Returns why the row is refused, as `/forbidden` says, or null. */
export function refusedFor(row: RouteRow, user: User): 'permission' | 'viewing' | 'networks' | 'sdwan' | null {
  if (row.needs === 'sdwan_status' && !user.sdwan_status) return 'sdwan';
  // personal settings are not part of a preview
  if (row.needs === 'oneself' && user.viewing) return 'viewing';
  if (!row.permission || may(user, row.permission)) return row.wholeAccount && user.gwids ? 'networks' : null;
  return user.permissions.includes(row.permission) ? 'viewing' : 'permission';
}

/** Returns whether menus show the row. /install opens with the set-up link, but only administrators see its entry. */
export function maySee(row: RouteRow, user: User): boolean {
  return mayOpen(row, user) && (row.needs !== 'installation_admin' || user.permissions.includes('install.admin'));
}
