import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import { newSerial } from './new-serial.ts';
import type { Registered, TestServer } from './server.ts';

export async function makeFleetParts(
  server: TestServer,
  owner: Registered,
  device: { serial: string; gwid: string },
): Promise<Pick<Seed, 'view' | 'group' | 'maintenance' | 'tool' | 'toolDevice' | 'switchDevice' | 'plan'>> {
  const made = async (path: string, input: object) => {
    const { code, message, data } = await server.call<{ id: string }>(path, input, owner);
    if (code !== 2000) throw new Error(`${path}: ${code} ${message}`);
    return { id: data.id };
  };
  const view = await made('/api/v3/view/save', {
    list: 'networks',
    name: 'Hotels',
    search: { tag: 'Hotel' },
    shared: true,
  });
  const group = await made('/api/v3/ap/group/create', { name: 'Lobbies' });
  const put = await server.call('/api/v3/ap/group/assign', { serials: [device.serial], id: group.id }, owner);
  if (put.code !== 2000) throw new Error(`ap/group/assign: ${put.code} ${put.message}`);
  const begins_at = new Date(Date.now() + 86_400_000).toISOString();
  const input = { gwids: [device.gwid], begins_at, minutes: 60 };
  const planned = await server.call<{ list: { id: string }[] }>('/api/v3/network/maintenance/create', input, owner);
  const maintenance = { id: planned.data.list[0]!.id };
  return {
    view,
    group,
    maintenance,
    ...(await makeTool(server, owner, device)),
    ...(await makePlan(server, owner, device)),
  };
}

export async function makeShared(
  server: TestServer,
  { accountId }: Registered,
  { serial }: { serial: string },
): Promise<Seed['sharedDevice']> {
  const box = (address: string) => JSON.stringify({ address, mac: null, model: null, firmware: null, boot: null });
  await server.db.database.systemPool.query(
    `insert into shared_certificate (account_id, serial, first_box, second_box, switches, at, held_since)
     values ($1, $2, $3, $4, 3, now(), now())`,
    [accountId, serial, box('192.0.2.1'), box('192.0.2.2')],
  );
  return { serial };
}

async function makeTool(
  server: TestServer,
  owner: Registered,
  { serial }: { serial: string },
): Promise<Pick<Seed, 'tool' | 'toolDevice' | 'switchDevice'>> {
  const { accountId } = owner;
  const { systemPool } = server.db.database;
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Pier' }, owner);
  const id = newId();
  await systemPool.query(
    `insert into tool_run (account_id, id, serial, tool, arguments, state, job_id, operator, created_at, finished_at, file_size)
     values ($1, $2, $3, 'trace', '{}', 'done', $2, 'test', now(), now(), 3)`,
    [accountId, id, serial],
  );
  await systemPool.query(
    `insert into tool_file (account_id, run_id, serial, piece, bytes) values ($1, $2, $3, 0, 'abc')`,
    [accountId, id, serial],
  );
  const online = newSerial();
  await systemPool.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, platform, firmware, bound_at, first_seen, last_seen, online, online_since)
     values (true, $1, $2, $3, 'ap', 'AP-2', 'Test AP', 'ap', 'TIP-test', now(), now(), now(), true, now())`,
    [accountId, online, data.gwid],
  );
  return {
    tool: { id },
    toolDevice: { serial: online, gwid: data.gwid },
    switchDevice: { serial: await makeSwitch(server, owner, data.gwid) },
  };
}

async function makeSwitch(server: TestServer, { accountId }: Registered, gwid: string): Promise<string> {
  const { systemPool } = server.db.database;
  const serial = newSerial();
  await systemPool.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, platform, firmware, capabilities, bound_at, first_seen, last_seen, online, online_since)
     values (true, $1, $2, $3, 'switch', 'SW-1', 'Test switch', 'switch', 'OLS-test', '{"platform": "switch"}', now(), now(), now(), true, now())`,
    [accountId, serial, gwid],
  );
  await systemPool.query(
    `insert into reported_port (account_id, serial, name, speed, top_speed, duplex, poe) values ($1, $2, 'Ethernet1', 1000, 1000, 'full', true)`,
    [accountId, serial],
  );
  return serial;
}

async function makePlan(
  server: TestServer,
  { accountId }: Registered,
  { serial, gwid }: { serial: string; gwid: string },
): Promise<Pick<Seed, 'plan'>> {
  const { systemPool } = server.db.database;
  const id = newId();
  await systemPool.query(
    `insert into radio_plan (account_id, id, gwid, state, bands, dfs, radios, scanned, aps, operator, created_at)
     values ($1, $2, $3, 'proposed', '{5G}', false, 1, 0, 1, 'test', now())`,
    [accountId, id, gwid],
  );
  await systemPool.query(
    `insert into radio_plan_item (account_id, plan_id, serial, band, from_channel, to_channel, from_power, to_power, gain)
     values ($1, $2, $3, '5G', 36, 44, 'high', 'high', 50)`,
    [accountId, id, serial],
  );
  return { plan: { id } };
}
