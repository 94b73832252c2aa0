import type { Permission } from '@yunxun/contract/permissions';
import { t } from '../../app/i18n.ts';
import { listed, permissionName } from '../../ui/refusal.ts';

export function permissionsText(permissions: readonly Permission[]): string {
  return listed(permissions.map((permission) => within(permissionName(permission))));
}

const within = (name: string): string => name.charAt(0).toLocaleLowerCase() + name.slice(1);

export function may(permissions: readonly Permission[]): string {
  return t('member.may', { permissions: permissionsText(permissions) });
}
