import type { Role } from '@yunxun/contract';
import { type Permission, rolePermissions } from '@yunxun/contract/permissions';
import { t } from '../../app/i18n.ts';
import { listed, permissionName } from '../../ui/refusal.ts';

/** What somebody may do, in words. */
export function permissionsText(permissions: readonly Permission[]): string {
  return listed(permissions.map((permission) => within(permissionName(permission))));
}

/** A name as it is written within a sentence. */
const within = (name: string): string => name.charAt(0).toLocaleLowerCase() + name.slice(1);

/** What a role may do, from the one table of permissions. */
export function roleMay(role: Role): string {
  return t('member.may', { permissions: permissionsText(rolePermissions[role]) });
}
