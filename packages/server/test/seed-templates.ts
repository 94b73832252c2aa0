import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';

const ssid = {
  enabled: true,
  name: 'Guests',
  security: 'psk2',
  key: 'welcome-2026',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: true,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
};

export async function makeTemplates(
  server: TestServer,
  owner: Registered,
  { serial, gwid }: { serial: string; gwid: string },
): Promise<Pick<Seed, 'template' | 'change' | 'stoppedChange'>> {
  const given = { kind: 'wireless', name: 'Shops', ssids: [ssid], radios: [] };
  const answer = await server.call<{ id: string }>('/api/v3/wireless_template/create', given, owner);
  if (answer.code !== 2000) throw new Error(`wireless_template/create: ${answer.code} ${answer.message}`);
  const { id } = answer.data;
  const push = async (status: 'failed' | 'cancelled') => {
    const [change, job] = [newId(), newId()];
    const { accountId } = owner;
    const { systemPool } = server.db.database;
    await systemPool.query(
      `insert into job (account_id, id, type, status, total, params, operator) values ($1, $2, 'configuration', $3, 1, '{}', 'test')`,
      [accountId, job, status],
    );
    await systemPool.query(
      `insert into job_item (account_id, job_id, seq, serial, gwid, name, status, finished_at) values ($1, $2, 0, $3, $4, 'AP-1', $5, now())`,
      [accountId, job, serial, gwid, status],
    );
    await systemPool.query(
      `insert into template_change (account_id, id, layer_id, kind, name, version, targets, plan, standing_before, created_at, created_by)
       values ($1, $2, $3, 'wireless', 'Shops', 1, $4, $5, '[]', now(), 'test')`,
      [
        accountId,
        change,
        id,
        JSON.stringify({ gwids: [gwid] }),
        JSON.stringify({ canary: 1, share: 100, rest: 0, stop_above: 0 }),
      ],
    );
    await systemPool.query(
      `insert into template_round (account_id, change_id, round, cause, job_id, created_at, created_by) values ($1, $2, 0, 'push', $3, now(), 'test')`,
      [accountId, change, job],
    );
    await systemPool.query(
      `insert into layer_step (account_id, job_id, serial, kind, before, after) values ($1, $2, $3, 'wireless', null, $4)`,
      [accountId, job, serial, JSON.stringify({ layerId: id, version: 1, scope: 'network', ref: gwid })],
    );
    return { id: change };
  };
  return { template: { id }, change: await push('failed'), stoppedChange: await push('cancelled') };
}
