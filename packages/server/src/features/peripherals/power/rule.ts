import type { DataOf, InputOf, peripheralPower } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { record } from '../../logs/index.ts';
import { peripheralTables } from '../tables.ts';

type Contract = typeof peripheralPower;
type Rule = DataOf<Contract['power']>;

const savePath = '/api/v3/peripheral/power/save';
const byDefault: Rule = { enabled: false, types: ['camera'], version: 0 };

export async function readPowerRule(tx: Tx, accountId: string, gwid: string): Promise<Rule> {
  const row = await peripheralTables(tx)
    .selectFrom('peripheral_power')
    .select(['enabled', 'types', 'version'])
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
  return row ?? byDefault;
}

/** @throws Failure changedMeanwhile */
export async function savePowerRule(
  tx: Tx,
  acting: Acting,
  { gwid, version: over, ...given }: InputOf<Contract['powerSave']>,
  now: Date,
): Promise<DataOf<Contract['powerSave']>> {
  const { accountId } = acting;
  const { version: current, ...before } = await readPowerRule(tx, accountId, gwid);
  const version = over + 1;
  const rule = { enabled: given.enabled, types: given.types.toSorted() };
  const { numInsertedOrUpdatedRows: written } = await peripheralTables(tx)
    .insertInto('peripheral_power')
    .values({ account_id: accountId, gwid, ...rule, since: now, version })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'gwid'])
        .doUpdateSet({ ...rule, since: now, version })
        .where('peripheral_power.version', '=', over),
    )
    .executeTakeFirst();
  if (current !== over || !written) throw new Failure('changedMeanwhile', { data: { version: current } });
  await record(tx, acting, {
    action: 'peripheral.power',
    object: { type: 'network', id: gwid, name: (await fleetNetworks.name(tx, accountId, gwid)) ?? '' },
    gwid,
    before,
    after: rule,
    inverse: { path: savePath, input: { gwid, ...before, version } },
  });
  return { version };
}
