import type { Permission } from '@yunxun/contract';
import type { ApiError } from '../app/api-error.ts';
import { call } from '../app/client.ts';
import { type MessageKey, t, textOf } from '../app/i18n.ts';

/** The name of a permission in the page's language. */
export function permissionName(permission: string): string {
  return textOf(`permission.${permission}`) ?? permission;
}

/** What a refused call (4101) says: the permission that is missing, and why. */
export function refusalOf(error: ApiError): { permission: string | null; reason: string } {
  const { permission, reason } = error.data;
  return {
    permission: typeof permission === 'string' ? permission : null,
    reason: typeof reason === 'string' ? reason : 'permission',
  };
}

/** Why something is refused, in a sentence. */
export function whyRefused({ permission, reason }: { permission: string | null; reason: string }): string {
  const name = permission && permissionName(permission);
  if (!name && reason === 'permission') return t('forbidden.plain');
  const key = `forbidden.${reason}`;
  return (
    textOf(key, { permission: name ?? '' }) ??
    t('forbidden.permission' satisfies MessageKey, { permission: name ?? '' })
  );
}

/** Who in the account acted in can give a permission; empty when nobody there can. */
export async function grantorsOf(permission: string): Promise<string[]> {
  const { list } = await call('/api/v3/account/grantors', { permission: permission as Permission });
  return list.map(({ name, role }) => t('forbidden.grantor', { name, role: t(`role.${role}`) }));
}

/** Names in a sentence's list. */
export function listed(names: readonly string[]): string {
  return names.join(t('list.between'));
}
