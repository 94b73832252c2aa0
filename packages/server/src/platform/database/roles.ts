import { createHmac } from 'node:crypto';
import pg from 'pg';

export type ProgramRole = 'yunxun_app' | 'yunxun_system';
const programRoles: readonly ProgramRole[] = ['yunxun_app', 'yunxun_system'];

/** Derives from the master key: shared by processes, stored nowhere. */
export function passwordFor(masterKey: Buffer, role: ProgramRole): string {
  return createHmac('sha256', masterKey).update(`database role ${role}`).digest('base64url');
}

/**
 * Resets wrong passwords too.
 * @throws an error with a sentence if the owner may not create roles
 */
export async function ensureRoles(owner: pg.Client, masterKey: Buffer, connection: pg.ClientConfig): Promise<void> {
  for (const role of programRoles) {
    const password = passwordFor(masterKey, role);
    const existing = await owner.query<{ rolsuper: boolean; rolbypassrls: boolean }>(
      'select rolsuper, rolbypassrls from pg_roles where rolname = $1',
      [role],
    );
    if (existing.rows[0]?.rolsuper || existing.rows[0]?.rolbypassrls) throw bypass(role);
    try {
      if (existing.rowCount === 0)
        await owner.query(`create role ${role} login password ${pg.escapeLiteral(password)}`);
      else if (!(await canLogIn(connection, role, password))) {
        await owner.query(`alter role ${role} login password ${pg.escapeLiteral(password)}`);
      }
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '42710' || code === '23505') continue;
      if (code === '42501') {
        throw new Error(
          `The database user may not create or change the role ${role}. Give it CREATEROLE, or create yunxun_app and yunxun_system yourself.`,
        );
      }
      throw error;
    }
  }
  const database = (await owner.query<{ name: string }>('select current_database() as name')).rows[0]!.name;
  await owner.query(`grant connect on database ${pg.escapeIdentifier(database)} to yunxun_app, yunxun_system`);
  await owner.query(`grant create on database ${pg.escapeIdentifier(database)} to yunxun_system`);
}

async function canLogIn(connection: pg.ClientConfig, user: string, password: string): Promise<boolean> {
  let config: pg.ClientConfig = { ...connection, user, password };
  if (connection.connectionString) {
    const url = new URL(connection.connectionString);
    url.username = user;
    url.password = password;
    config = { connectionString: url.toString() };
  }
  const client = new pg.Client(config);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '28P01' || (error as { code?: string }).code === '28000') return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * @throws an error with a sentence for a superuser, BYPASSRLS, or a table owner's member: row security would not apply
 */
export async function refuseBypass(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ role: string; bypasses: boolean }>(`
    select current_user as role,
      (select bool_or(r.rolsuper or r.rolbypassrls) from pg_roles r where pg_has_role(current_user, r.oid, 'member'))
      or exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
                 where n.nspname = 'public' and c.relkind in ('r', 'p') and pg_has_role(current_user, c.relowner, 'member'))
      as bypasses`);
  if (rows[0]!.bypasses) throw bypass(rows[0]!.role);
}

function bypass(role: string): Error {
  return new Error(
    `The database role ${role} could bypass row security (superuser, BYPASSRLS, or owner of tables), so accounts would not be kept apart. Take that right from it and start again.`,
  );
}
