import type { Tx } from '../../../platform/database/index.ts';
import { people } from '../../identity/index.ts';
import { installationSettings } from '../../installation/index.ts';
import type { Messages } from '../../messages/index.ts';
import { readOverview } from './overview.ts';
import { clearingTables } from './tables.ts';

const key = 'clearing_short';

async function isBegun(tx: Tx): Promise<boolean> {
  const arrival = await clearingTables(tx).selectFrom('clearing_arrival').select('id').limit(1).executeTakeFirst();
  return arrival !== undefined;
}

/** Posts one message to each administrator when less is held than is owed, until it is covered again. */
export async function noticeShortage(
  tx: Tx,
  { messages, adminEmail, now }: { messages: Messages; adminEmail: string | null; now: Date },
): Promise<void> {
  await installationSettings.lockSetting(tx, key);
  const known = (await installationSettings.readSetting<boolean>(tx, key)) ?? false;
  const { covered, owed, held } = await readOverview(tx, now);
  const short = !covered && (await isBegun(tx));
  if (short === known) return;
  await installationSettings.writeSetting(tx, key, short);
  if (!short) return;
  for (const { accountId, personId } of await people.administratorsOf(tx, adminEmail))
    await messages.post(tx, accountId, {
      template: 'clearingShort',
      params: { owed, held },
      link: '/install?tab=clearing',
      personId,
    });
}
