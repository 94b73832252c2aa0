import type { AccountKeys } from '../platform/crypto/account-keys.ts';
import { type Database, tables } from '../platform/database/index.ts';
import type { DeviceRef } from './ports.ts';
import type { DevicePasswords } from './session-context.ts';
import type { UplinkTables } from './tables.ts';

const context = ({ accountId, serial }: DeviceRef) => `device password ${accountId} ${serial}`;

/** Seals device passwords under the account's key. */
export function createDevicePasswords(
  database: Database,
  keys: AccountKeys,
): DevicePasswords & { read(device: DeviceRef): Promise<string | null> } {
  return {
    async store(device, password, at) {
      await database.withSystem(async (tx) => {
        const sealed = (await keys.of(tx, device.accountId)).seal(password.slice(0, 256), context(device));
        await tables<UplinkTables>(tx)
          .insertInto('device_password')
          .values({ account_id: device.accountId, serial: device.serial, sealed, at })
          .onConflict((conflict) => conflict.columns(['account_id', 'serial']).doUpdateSet({ sealed, at }))
          .execute();
      });
    },

    async read(device) {
      return database.withSystem(async (tx) => {
        const row = await tables<UplinkTables>(tx)
          .selectFrom('device_password')
          .select('sealed')
          .where('account_id', '=', device.accountId)
          .where('serial', '=', device.serial)
          .executeTakeFirst();
        return row ? (await keys.of(tx, device.accountId)).open(row.sealed, context(device)).toString() : null;
      });
    },
  };
}
