import { randomBytes } from 'node:crypto';
import type { World } from '@yunxun/contract';
import { newSetupToken } from '../src/features/installation/settings.ts';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';
import { makePeople } from './world-account.ts';
import { makeInbox } from './world-inbox.ts';
import { makePersonal } from './world-personal.ts';
import { makeQr } from './world-sign-in.ts';
import { makeStations } from './world-users.ts';

/** A registered owner with everything that an endpoint's example may name. */
export interface OwnedWorld {
  owner: Registered;
  world: World;
}

let serials = 0;

/** A serial that no other world has. */
export function newSerial(): string {
  serials += 1;
  return `${randomBytes(3).toString('hex')}${serials.toString(16).padStart(6, '0')}`;
}

/** Registers an owner through the front door and gives the account two networks, two devices, a job, a message. */
export async function makeWorld(server: TestServer): Promise<OwnedWorld> {
  const owner = await server.register();
  const gwid = await makeNetwork(server, owner, 'Lobby');
  const spare = await makeNetwork(server, owner, 'Spare');
  const device = await insertDevice(server, owner.accountId, gwid);
  // whoever holds the device's socket answers here; commands of the matrix find it at home
  server.program.bus.respond(`dev.${owner.accountId}.${device}.rpc`, async () => ({
    serial: device,
    uuid: 1,
    status: { error: 0, text: 'Success' },
  }));
  const waiting = await insertDevice(server, owner.accountId, null);
  const { systemPool } = server.db.database;
  const jobId = newId();
  await systemPool.query(
    `insert into job (account_id, id, type, status, total, params, operator) values ($1, $2, 'test', 'waiting_offline', 1, '{}', 'test')`,
    [owner.accountId, jobId],
  );
  await systemPool.query(
    `insert into job_item (account_id, job_id, seq, serial, gwid, name, status) values ($1, $2, 0, $3, $4, 'item', 'waiting_offline')`,
    [owner.accountId, jobId, device, gwid],
  );
  const { mobile, ...personal } = await makePersonal(server, owner);
  const world: World = {
    account: {
      id: owner.accountId,
      email: owner.email,
      mobile,
      password: owner.password,
      bindingCode: owner.bindingCode,
    },
    network: { gwid },
    spareNetwork: { gwid: spare },
    device: { serial: device, gwid },
    waitingDevice: { serial: waiting },
    job: { id: jobId },
    ...personal,
    ...(await makeStations(server, owner, { serial: device, gwid })),
    ...(await makePeople(server, owner, gwid)),
    ...(await makeQr(server)),
    log: { seq: 1 },
    // last: the number of what it logs is to be the highest
    ...(await makeInbox(server, owner, gwid)),
    setupToken: (await newSetupToken(server.db.database)) ?? 'there is an administrator already',
  };
  return { owner, world };
}

async function makeNetwork(server: TestServer, owner: Registered, remark: string): Promise<string> {
  const answer = await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner);
  if (answer.code !== 2000) throw new Error(`network/create: ${answer.code} ${answer.message}`);
  return answer.data.gwid;
}

/** A bound access point that has been here once and is offline now. */
async function insertDevice(server: TestServer, accountId: string, gwid: string | null): Promise<string> {
  const serial = newSerial();
  const { systemPool } = server.db.database;
  await systemPool.query(
    `insert into serial_directory (serial, account_id, enrolled_at, first_connected_at) values ($1, $2, now(), now())`,
    [serial, accountId],
  );
  await systemPool.query(
    `insert into device (account_id, serial, gwid, kind, remark, model, platform, firmware, capabilities, bound_at, first_seen, last_seen, offline_since)
     values ($1, $2, $3, 'ap', 'AP-1', 'Test AP', 'ap', 'TIP-test', $4, now(), now(), now(), now())`,
    [accountId, serial, gwid, JSON.stringify(capabilities)],
  );
  return serial;
}

const capabilities = {
  compatible: 'test_ap',
  model: 'Test AP',
  platform: 'ap',
  compress_cmd: true,
  network: { wan: ['eth0'], lan: ['eth1'] },
  wifi: {
    'platform/soc/a.wifi': { band: ['5G'], channels: [36, 40, 44, 48], htmode: ['HT20', 'HE20', 'HE40', 'HE80'] },
    'platform/soc/b.wifi': { band: ['2G'], channels: [1, 6, 11], htmode: ['HT20', 'HE20', 'HE40'] },
  },
};

/** Hosts an owner's networks to another account; the endpoint for it comes with the personal centre. */
export async function host(
  server: TestServer,
  from: string,
  to: string,
  permissions: readonly string[],
  gwids: readonly string[] | null = null,
): Promise<void> {
  await server.db.database.systemPool.query(
    'insert into hosting_grant (account_id, id, grantee_account_id, permissions, gwids) values ($1, $2, $3, $4, $5)',
    [from, newId(), to, permissions, gwids],
  );
}
