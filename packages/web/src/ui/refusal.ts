import type { MemberRole, Permission } from '@yunxun/contract';
import type { ApiError } from '../app/api-error.ts';
import { call } from '../app/client.ts';
import { type MessageKey, t, textOf } from '../app/i18n.ts';

export function permissionName(permission: string): string {
  return textOf(`permission.${permission}`) ?? permission;
}

export function roleName(right: { role: MemberRole; role_name: string | null }): string {
  return right.role_name ?? t(`role.${right.role}`);
}

export function refusalOf(error: ApiError): { permission: string | null; reason: string } {
  const { permission, reason } = error.data;
  return {
    permission: typeof permission === 'string' ? permission : null,
    reason: typeof reason === 'string' ? reason : 'permission',
  };
}

export function whyRefused({ permission, reason }: { permission: string | null; reason: string }): string {
  const name = permission && permissionName(permission);
  if (!name && reason === 'permission') return t('forbidden.plain');
  const key = `forbidden.${reason}`;
  return (
    textOf(key, { permission: name ?? '' }) ??
    t('forbidden.permission' satisfies MessageKey, { permission: name ?? '' })
  );
}

export async function grantorsOf(permission: string): Promise<string[]> {
  const { list } = await call('/api/v3/account/grantors', { permission: permission as Permission });
  return list.map(({ name, role }) => t('forbidden.grantor', { name, role: t(`role.${role}`) }));
}

export function listed(names: readonly string[]): string {
  return names.join(t('list.between'));
}
