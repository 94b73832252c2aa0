import { type Actor, allows } from '@yunxun/contract';
import { type Database, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { IdentityTables } from './tables.ts';

const asked = /^(member|grant):([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/**
 * The rights of a member, or of an account that networks are hosted to, for somebody who may change them anyway and wants
 * to see the account as they do.
 * @throws Failure noPermission, notFound
 */
export async function rightsOfViewed(
  database: Database,
  actor: Actor,
  wanted: string,
): Promise<Pick<Actor, 'role' | 'roleGwids' | 'grant'>> {
  if (!allows(actor, 'account.write')) {
    throw new Failure('noPermission', { data: { permission: 'account.write', reason: 'permission' } });
  }
  const [, kind, id] = asked.exec(wanted) ?? [];
  const db = tables<IdentityTables>(database.system);
  if (kind === 'member') {
    const member = await db
      .selectFrom('member')
      .select(['role', 'gwids'])
      .where('account_id', '=', actor.accountId)
      .where('person_id', '=', id!)
      .executeTakeFirst();
    if (member) return { role: member.role, roleGwids: member.gwids, grant: null };
  }
  if (kind === 'grant') {
    const grant = await db
      .selectFrom('hosting_grant')
      .select(['permissions', 'gwids', 'grantee_account_id as to'])
      .where('account_id', '=', actor.accountId)
      .where('id', '=', id!)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (grant) return { role: null, roleGwids: null, grant };
  }
  throw new Failure('notFound');
}
