import type { RouteRow } from './routes.ts';
import type { User } from './session.ts';

/**
 * The person may do what a permission names, in the account acted in. While the account is looked at as somebody else sees
 * it, nothing is changed (the contract's `refusal` says so to every call), so nothing that changes it is offered either.
 */
export function may(user: User, permission: User['permissions'][number]): boolean {
  return user.permissions.includes(permission) && !(user.viewing && !permission.endsWith('.read'));
}

/** The person may open a row; the guard asks this. */
export function mayOpen(row: RouteRow, user: User): boolean {
  return refusedFor(row, user) === null;
}

/** Why a row stays closed, as `/forbidden` says it; null when it does not. */
export function refusedFor(row: RouteRow, user: User): 'permission' | 'viewing' | null {
  if (row.needs === 'sdwan_status' && !user.sdwan_status) return 'permission';
  // what a person has for itself is no part of how somebody else sees the account
  if (row.needs === 'oneself' && user.viewing) return 'viewing';
  if (!row.permission || may(user, row.permission)) return null;
  return user.permissions.includes(row.permission) ? 'viewing' : 'permission';
}

/** A menu shows a row. /install is open to whoever holds the set-up link, but only administrators see its entry. */
export function maySee(row: RouteRow, user: User): boolean {
  return mayOpen(row, user) && (row.needs !== 'installation_admin' || user.permissions.includes('install.admin'));
}
