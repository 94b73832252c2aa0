import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { createSealer, loadMasterKey } from '../../packages/server/src/platform/crypto/index.ts';
import { openDatabase } from '../../packages/server/src/platform/database/index.ts';
import { silentLog } from '../../packages/server/src/platform/log.ts';
import { loadAuthority } from '../../packages/server/src/uplink/index.ts';
import { makeKey, makeRequest } from '../../packages/server/test/conformance/peer/identity.ts';
import type { BenchDatabase } from './database.ts';
import { type Identity, serialOf } from './device.ts';

export async function seedDevices(
  { owner, url }: Pick<BenchDatabase, 'owner' | 'url'>,
  options: { dataDir: string; accountIds: readonly string[]; count: number; port: number },
): Promise<Identity[]> {
  const { accountIds, count, dataDir, port } = options;
  const masterKey = loadMasterKey(join(dataDir, 'master.key'));
  const database = await openDatabase({ owner: { connectionString: url }, masterKey, log: silentLog(), poolSize: 1 });
  try {
    const authority = await loadAuthority(database, createSealer(masterKey), 'localhost', systemClock);
    const key = makeKey();
    const identities: Identity[] = [];
    const rows: { account: string; serial: string; fingerprint: string; until: Date }[] = [];
    for (let at = 0; at < count; at += 1) {
      const serial = serialOf(at);
      const issued = await authority.issue(makeRequest(serial, key), serial, new Date());
      const { certificate: cert, fingerprint, notAfter } = issued;
      identities.push({
        serial,
        port,
        context: createSecureContext({ key: key.keyPem, cert, ca: authority.certificate }),
      });
      rows.push({ serial, fingerprint, until: notAfter, account: accountIds[at % accountIds.length] as string });
    }
    const given = [
      rows.map((row) => row.account),
      rows.map((row) => row.serial),
      rows.map((row) => row.fingerprint),
      rows.map((row) => row.until),
    ];
    const from =
      'from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as r (account, serial, print, until)';
    await owner.query(
      `with directory as (insert into serial_directory (serial, account_id, enrolled_at) select serial, account, now() ${from}),
        certificate as (insert into device_certificate (account_id, fingerprint, serial, ours, issued_at, expires_at)
          select account, print, serial, true, now(), until ${from})
       insert into device (confirmed, account_id, serial, kind, remark, platform, model, bound_at)
       select true, account, serial, 'ap', serial, 'ap', 'Bench AP', now() ${from}`,
      given,
    );
    return identities;
  } finally {
    await database.close();
  }
}
