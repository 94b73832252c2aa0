import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { fleet } from './tables.ts';

export interface FirmwareFacts {
  serial: string;
  name: string;
  gwid: string | null;
  network: string | null;
  model: string | null;
  compatible: string | null;
  firmware: string | null;
  online: boolean;
  onlineSince: Date | null;
  offlineSince: Date | null;
  /** Accepted restart without a boot yet. */
  restartingSince: Date | null;
  restartReason: string | null;
  bootedAt: Date | null;
  firstSeen: Date | null;
}

function query(tx: Tx, accountId: string) {
  return fleet(tx)
    .selectFrom('device')
    .leftJoin('network', (join) =>
      join.onRef('network.account_id', '=', 'device.account_id').onRef('network.gwid', '=', 'device.gwid'),
    )
    .select([
      'device.serial',
      'device.remark as name',
      'device.gwid',
      'network.remark as network',
      'device.model',
      'device.compatible',
      'device.firmware',
      'device.online',
      'device.online_since as onlineSince',
      'device.offline_since as offlineSince',
      'device.restarting_since as restartingSince',
      'device.restart_reason as restartReason',
      'device.booted_at as bootedAt',
      'device.first_seen as firstSeen',
    ])
    .where('device.account_id', '=', accountId)
    .orderBy('device.serial');
}

export function firmwareOf(tx: Tx, accountId: string, serials: readonly string[]): Promise<FirmwareFacts[]> {
  if (serials.length === 0) return Promise.resolve([]);
  return query(tx, accountId)
    .where('device.serial', 'in', [...serials])
    .execute();
}

/** Counts devices without any of the versions, and returns online ones first up to a limit. */
export async function firmwareOfModels(
  tx: Tx,
  accountId: string,
  { models, except, limit }: { models: readonly string[]; except: readonly string[]; limit: number },
): Promise<{ devices: FirmwareFacts[]; total: number }> {
  const wanted = query(tx, accountId).where((where) =>
    where.and([
      where.or([where('device.model', 'in', [...models]), where('device.compatible', 'in', [...models])]),
      sql<boolean>`(device.firmware is null or device.firmware <> all(${except}::text[]))`,
    ]),
  );
  const devices = await wanted
    .clearOrderBy()
    .orderBy('device.online', 'desc')
    .orderBy('device.serial')
    .limit(limit)
    .execute();
  const { total } = await wanted
    .clearSelect()
    .clearOrderBy()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { devices, total: Number(total) };
}

export async function versionCounts(
  tx: Tx,
  accountId: string,
): Promise<{ model: string; compatible: string | null; version: string | null; devices: number }[]> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .select((select) => ['model', 'compatible', 'firmware as version', select.fn.countAll<number>().as('devices')])
    .where('account_id', '=', accountId)
    .where('model', 'is not', null)
    .groupBy(['model', 'compatible', 'firmware'])
    .orderBy('model')
    .execute();
  return rows.map(({ model, devices, ...row }) => ({ model: model!, devices: Number(devices), ...row }));
}
