import { type Actor, allows, hasRight, isGrantable, type Permission } from '@yunxun/contract';
import { type Database, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { permissionsOfRole } from './account-roles.ts';
import type { IdentityTables } from './tables.ts';

const asked = /^(member|grant):([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** Returns the rights of a member or delegate, if the caller may change them. @throws Failure noPermission, notFound */
export async function rightsOfViewed(
  database: Database,
  actor: Actor,
  wanted: string,
): Promise<Pick<Actor, 'role' | 'rolePermissions' | 'roleGwids' | 'delegation'>> {
  if (!allows(actor, 'account.write')) {
    throw new Failure('noPermission', { data: { permission: 'account.write', reason: 'permission' } });
  }
  const [, kind, id] = asked.exec(wanted) ?? [];
  const db = tables<IdentityTables>(database.system);
  if (kind === 'member') {
    const member = await db
      .selectFrom('member as m')
      .leftJoin('account_role as r', (join) =>
        join.onRef('r.account_id', '=', 'm.account_id').onRef('r.id', '=', 'm.role_id'),
      )
      .select(['m.role', 'm.gwids', 'r.permissions as own'])
      .where('m.account_id', '=', actor.accountId)
      .where('m.person_id', '=', id!)
      .executeTakeFirst();
    if (member) {
      const rolePermissions = permissionsOfRole(member.role, member.own);
      refuseMore(actor, rolePermissions);
      return { role: member.role, rolePermissions, roleGwids: member.gwids, delegation: null };
    }
  }
  if (kind === 'grant') {
    const delegation = await db
      .selectFrom('hosting_grant')
      .select(['permissions', 'gwids', 'grantee_account_id as to'])
      .where('account_id', '=', actor.accountId)
      .where('id', '=', id!)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (delegation) {
      refuseMore(
        actor,
        delegation.permissions.filter((permission) => isGrantable(permission)),
      );
      return { role: null, rolePermissions: [], roleGwids: null, delegation };
    }
  }
  throw new Failure('notFound');
}

/** Refuses views beyond the viewer's rights. */
function refuseMore(actor: Actor, permissions: readonly Permission[]): void {
  const missing = permissions.find((permission) => !hasRight(actor, permission));
  if (missing) throw new Failure('noPermission', { data: { permission: missing, reason: 'permission' } });
}
