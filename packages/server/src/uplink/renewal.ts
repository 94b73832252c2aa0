import type { EdgeRenewRefusal } from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { type Database, type Tx, tables } from '../platform/database/index.ts';
import type { Authority } from './authority.ts';
import { RequestRefused, renewedYears } from './certificates.ts';
import type { PeerIdentity } from './peer-identity.ts';
import type { Connect, DeviceRef, UplinkHandlers } from './ports.ts';
import type { UplinkTables } from './tables.ts';

export interface Renewals {
  renew(device: DeviceRef, peer: PeerIdentity, csr: string, address: string): Promise<Renewed>;
}

export type Renewed = { certificate: string } | { refused: EdgeRenewRefusal };

const day = 24 * 60 * 60 * 1000;
const life = renewedYears * 365.25 * day;
/** Per device; covers lost answers, stops loops. */
const maxADay = 4;

/**
 * Checks binding and certificate and writes the new one in one transaction; both count until the new one opens a
 * session.
 */
export function createRenewals(options: {
  database: Database;
  clock: Clock;
  authority: Authority;
  handlers: Pick<UplinkHandlers, 'renewed'>;
}): Renewals {
  const { database, clock, authority, handlers } = options;
  return {
    async renew(device, peer, csr, address) {
      if (!peer.ours) return { refused: 'certificate' };
      const at = clock.now();
      return database.withSystem(async (tx) => {
        const refused = await refusalOf(tx, device, peer, at);
        if (refused !== null) return { refused };
        const issued = await authority.issue(csr, device.serial, at, true).catch((error: unknown) => {
          if (error instanceof RequestRefused) return null;
          throw error;
        });
        if (issued === null) return { refused: 'request' };
        await tables<UplinkTables>(tx)
          .insertInto('device_certificate')
          .values({
            account_id: device.accountId,
            fingerprint: issued.fingerprint,
            serial: device.serial,
            ours: true,
            issued_at: at,
            expires_at: issued.notAfter,
            address,
            model: null,
            revoked_at: null,
            revoked_reason: null,
          })
          .execute();
        await handlers.renewed(tx, { ...device, at, address, until: issued.notAfter });
        return { certificate: issued.certificate };
      });
    },
  };
}

/** Locks the serial against enrolment and unbind. */
async function refusalOf(tx: Tx, device: DeviceRef, peer: PeerIdentity, at: Date): Promise<EdgeRenewRefusal | null> {
  const { rows } = await sql<{ good: boolean; lately: number }>`
    select exists (
        select from device_certificate c
        where c.account_id = d.account_id and c.fingerprint = ${peer.fingerprint} and c.revoked_at is null) as good,
      (select count(*)::int from device_certificate c
        where c.account_id = d.account_id and c.serial = d.serial and c.issued_at > ${new Date(at.getTime() - day)}) as lately
    from serial_directory d
    where d.serial = ${device.serial} and d.account_id = ${device.accountId}
    for update
  `.execute(tx);
  const [row] = rows;
  if (!row?.good) return 'certificate';
  return row.lately >= maxADay ? 'often' : null;
}

/** Returns true for certificates of twenty years or in their last third, if the device can renew. */
export function shouldRenew({ renews }: Connect, peer: PeerIdentity, now: Date): boolean {
  if (!peer.ours || !renews) return false;
  const left = peer.notAfter.getTime() - now.getTime();
  return left < life / 3 || left > life + day;
}
