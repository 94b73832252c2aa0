import { sql } from 'kysely';
import type { Database } from '../platform/database/index.ts';
import type { Admission } from './session-context.ts';

export function createAdmission(database: Database): Admission {
  return {
    async admit({ serial, fingerprint, ours }) {
      const { rows } = await sql<{ accountId: string; known: boolean; revoked: boolean; shared: boolean }>`
        select d.account_id as "accountId", c.fingerprint is not null as known, c.revoked_at is not null as revoked,
          s.held_since is not null as shared
        from serial_directory d
        left join device_certificate c on c.account_id = d.account_id and c.fingerprint = ${fingerprint}
        left join shared_certificate s on s.account_id = d.account_id and s.serial = d.serial
        where d.serial = ${serial}
      `.execute(database.system);
      const row = rows[0];
      if (!row) return { refused: 'not-enrolled' };
      if (row.revoked) return { refused: 'certificate-revoked' };
      if (ours && !row.known) return { refused: 'certificate-unknown' };
      return { accountId: row.accountId, shared: row.shared };
    },
  };
}
