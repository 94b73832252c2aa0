import { sql } from 'kysely';
import type { Database } from '../platform/database/index.ts';
import type { PeerIdentity } from './peer-identity.ts';
import type { Admission } from './session-context.ts';

export function createAdmission(database: Database): Admission {
  return {
    async admit(peer) {
      const { serial, fingerprint, ours } = peer;
      const { rows } = await sql<{ accountId: string; known: boolean; revoked: boolean; shared: boolean }>`
        select d.account_id as "accountId", c.fingerprint is not null as known, c.revoked_at is not null as revoked,
          s.held_since is not null as shared
        from serial_directory d
        left join device_certificate c on c.account_id = d.account_id and c.fingerprint = ${fingerprint}
        left join shared_certificate s on s.account_id = d.account_id and s.serial = d.serial
        where d.serial = ${serial}
      `.execute(database.system);
      const row = rows[0];
      if (row && !row.revoked && (row.known || !ours)) return { accountId: row.accountId, shared: row.shared };
      if (await isUnbound(database, peer)) return { refused: 'unbound' };
      if (!row) return { refused: 'not-enrolled' };
      return { refused: row.revoked ? 'certificate-revoked' : 'certificate-unknown' };
    },

    async wasUnboundElsewhere({ accountId, serial }) {
      const { rows } = await sql<{ accountId: string }>`
        select account_id as "accountId" from unbound_serial where serial = ${serial} order by at desc limit 1
      `.execute(database.system);
      return rows[0] !== undefined && rows[0].accountId !== accountId;
    },
  };
}

/**
 * Requires a certificate of the ended binding: a console restored from a backup may have the row, but not the later
 * certificate.
 */
async function isUnbound(database: Database, { serial, fingerprint }: PeerIdentity): Promise<boolean> {
  const { rows } = await sql`
    select from unbound_serial u
    join device_certificate c on c.account_id = u.account_id and c.fingerprint = ${fingerprint} and c.serial = u.serial
    where u.serial = ${serial} and not exists (
      select from serial_directory d where d.serial = u.serial and d.account_id = u.account_id)
  `.execute(database.system);
  return rows.length > 0;
}
