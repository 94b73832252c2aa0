import { deflateSync } from 'node:zlib';
import type { Seed } from '@yunxun/contract';
import { newSerial } from './new-serial.ts';
import { fund } from './seed-withdrawals.ts';
import type { Registered, TestServer } from './server.ts';

/** Inserts a gateway that has reported its public key, at the head of a new network. */
export async function insertSdwanGateway(
  server: TestServer,
  owner: Registered,
  at: number,
): Promise<{ gwid: string; serial: string; publicKey: string }> {
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: `Site-${at}` }, owner);
  const serial = newSerial();
  const publicKey = Buffer.alloc(32, at + 1).toString('base64');
  const address = `198.51.100.${at}`;
  const { systemPool } = server.db.database;
  const given = [owner.accountId, serial];
  await systemPool.query(
    `insert into serial_directory (serial, account_id, enrolled_at, first_connected_at) values ($2, $1, now(), now())`,
    given,
  );
  await systemPool.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, platform, firmware, capabilities, public_address, bound_at, first_seen, last_seen, online, online_since)
     values (true, $1, $2, $3, 'gateway', 'Gateway', 'Box', 'olg', 'Yunxun edge 3.4.1', $4, $5, now(), now(), now(), true, now())`,
    [...given, data.gwid, JSON.stringify(capabilities), address],
  );
  await systemPool.query('update network set gateway_serial = $2 where account_id = $1 and gwid = $3', [
    ...given,
    data.gwid,
  ]);
  await report(server, owner, { serial, publicKey, address, networks: [] });
  return { gwid: data.gwid, serial, publicKey };
}

/** Stores a state report as the newest of the gateway. */
export async function report(
  server: TestServer,
  owner: Registered,
  { serial, publicKey, address, networks }: { serial: string; publicKey: string; address: string; networks: unknown[] },
): Promise<void> {
  const yunxun = { lines: [{ interface: 'up0v0', address }], sdwan: { public_key: publicKey, networks } };
  const params = { serial, uuid: 1, state: { yunxun } };
  await server.db.database.systemPool.query(
    `insert into device_latest (account_id, serial, at, state) values ($1, $2, now(), $3)
     on conflict (account_id, serial) do update set at = now(), state = excluded.state`,
    [owner.accountId, serial, deflateSync(JSON.stringify(params))],
  );
}

const capabilities = {
  compatible: 'yunxun_edge',
  model: 'Box',
  platform: 'olg',
  network: { WAN1: ['eth0'], LAN1: ['eth1'] },
  yunxun: {
    agent: '3.4.1',
    abilities: { sdwan: true, iperf: true, tools: true },
    missing: [],
    allowed: { reboot: false, scripts: false },
  },
};

export async function makeSdwan(server: TestServer, owner: Registered): Promise<Pick<Seed, 'sdwan'>> {
  const call = async <T>(path: string, input: object): Promise<T> => {
    const { code, message, data } = await server.call<T>(`/api/v3/sdwan/${path}`, input, owner);
    if (code !== 2000) throw new Error(`${path}: ${code} ${message}`);
    return data;
  };
  const { order_no: orderNo } = await call<{ order_no: string }>('order/create', {
    kind: 'package',
    package_id: 'standard',
  });
  const openOrderNo = await openOrder(server, owner);
  const gwids: string[] = [];
  for (const at of [1, 2, 3]) gwids.push((await insertSdwanGateway(server, owner, at)).gwid);
  const nodes = gwids.map((key, at) => ({
    key,
    role: '',
    pid: '',
    position: 1,
    widthband: 10,
    foreign_widthband: 0,
    host: null,
    group_id: null,
    lans: [{ prefix: `10.21.${at + 1}.0/24` }],
  }));
  const plan = { type: 1, mode: 'transit', strategy_id: null };
  const { id } = await call<{ id: string }>('network/create', { name: 'Branches', ...plan, nodes: nodes.slice(0, 2) });
  const group = { network_id: id, name: 'Shops', widthband: 5, foreign_widthband: 0, node_keys: [] };
  const groupId = (await call<{ id: string }>('group/create', group)).id;
  const probes = { probe_ms: 500, fails: 3, recovers: 6, hold_s: 30, order: 'preferred' };
  const strategyId = (await call<{ id: string }>('link_strategy/create', { name: 'Calm', ...probes })).id;
  const [first = '', second = '', third = ''] = gwids;
  return { sdwan: { id, gwids: [first, second, third], groupId, strategyId, orderNo, openOrderNo } };
}

/** Prices are those of the installation; an open order needs one, and its payment a balance. */
async function openOrder(server: TestServer, owner: Registered): Promise<string> {
  const orderNo = `SD${newSerial()}`;
  await fund(server, owner, 100);
  await server.db.database.systemPool.query(
    `insert into sdwan_order (account_id, order_no, id, kind, package_id, name, nodes, widthband, foreign_widthband, months, amount_fen, status, created_at)
     values ($1, $2, gen_random_uuid(), 'package', 'large', 'Large', 100, 1000, 0, 12, 100, 'incomplete', now())`,
    [owner.accountId, orderNo],
  );
  return orderNo;
}
