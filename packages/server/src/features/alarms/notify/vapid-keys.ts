import { sql } from 'kysely';
import webPush from 'web-push';
import type { Sealer } from '../../../platform/crypto/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { installationSettings } from '../../installation/index.ts';

/** Key pair that identifies this installation to push services (RFC 8292), in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

interface Stored {
  publicKey: string;
  /** Base64. */
  sealed: string;
}

const key = 'web_push.vapid';
const context = 'web push vapid key';

/** Creates the key pair at the first start, with the private key sealed under the master key. */
export function loadVapidKeys(database: Database, sealer: Sealer): Promise<VapidKeys> {
  return database.withSystem(async (tx) => {
    // browsers subscribe with one key: processes that start together must agree
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
    const stored = await installationSettings.readSetting<Stored>(tx, key);
    if (stored) {
      const { publicKey, sealed } = stored;
      return { publicKey, privateKey: sealer.open(Buffer.from(sealed, 'base64'), context).toString() };
    }
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const sealed = sealer.seal(privateKey, context).toString('base64');
    await installationSettings.writeSetting(tx, key, { publicKey, sealed } satisfies Stored);
    return { publicKey, privateKey };
  });
}
