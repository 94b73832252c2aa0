import type { DataOf, peripheralScan } from '@yunxun/contract';
import { asRecord, asText, edgeToolMethod } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { DeviceError, DeviceOffline, DeviceTimeout } from '../../uplink/index.ts';
import { fleetGateways } from '../fleet/index.ts';
import type { JobRunner } from '../jobs/index.ts';
import { record } from '../logs/index.ts';
import { ableGateway, type ScanDeps } from './scan.ts';
import { peripheralTables } from './tables.ts';

const jobType = 'peripheral_wake';
const commandMs = 15_000;

export function createWake({ devices, jobs }: Pick<ScanDeps, 'devices' | 'jobs'>) {
  const run: JobRunner = async ({ account_id: accountId, serial, detail }) => {
    const mac = asText(asRecord<{ mac: unknown }>(detail).mac, 12);
    if (!serial || !mac) return { status: 'cancelled', reason: 'job.unbound' };
    try {
      const params = { tool: 'wake', mac } as const;
      const reply = await devices.call({ accountId, serial }, edgeToolMethod, params, { timeoutMs: commandMs });
      const { error, text } = asRecord<{ error: unknown; text: unknown }>(reply.status);
      if (error === 0) return { status: 'succeeded' };
      return { status: 'failed', reason: asText(text, 200) || 'job.refused' };
    } catch (error) {
      if (error instanceof DeviceOffline) return { status: 'skipped', reason: 'job.skipped_offline' };
      if (error instanceof DeviceTimeout) return { status: 'failed', reason: 'job.silent' };
      if (error instanceof DeviceError)
        return { status: 'failed', reason: error.message.slice(0, 200) || 'job.refused' };
      throw error;
    }
  };
  jobs.register(jobType, run);

  /** @throws Failure notFound, deviceOffline, unsupported; Invalid without a MAC address */
  return async (tx: Tx, acting: Acting, id: string): Promise<DataOf<typeof peripheralScan.wake>> => {
    const row = await peripheralTables(tx)
      .selectFrom('peripheral')
      .select(['gwid', 'name', 'mac'])
      .where('account_id', '=', acting.accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw new Failure('notFound');
    const { gwid, name } = row;
    const mac = row.mac ?? invalid('mac', 'validation.required');
    const gateway = ableGateway((await fleetGateways.probing(tx, [gwid])).get(gwid), 'wake');
    const items = [{ serial: gateway.serial, gwid, name, detail: { mac } }];
    const jobId = await jobs.create(tx, acting, { type: jobType, items });
    await record(tx, acting, {
      action: 'peripheral.wake',
      object: { type: 'peripheral', id, name },
      gwid,
      after: { mac },
      command: true,
      jobId,
    });
    return { job_id: jobId };
  };
}
