import { randomBytes } from 'node:crypto';
import type { AnyEndpoint, World } from '@yunxun/contract';
import { newSetupToken } from '../src/features/installation/settings.ts';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';
import { makePeople } from './world-account.ts';
import { makeBackup } from './world-backup.ts';
import { makeFirmware } from './world-firmware.ts';
import { makeFleetParts } from './world-fleet.ts';
import { makeInbox } from './world-inbox.ts';
import { makePlaced } from './world-map.ts';
import { makePasswords } from './world-passwords.ts';
import { makePersonal } from './world-personal.ts';
import { makeQr } from './world-sign-in.ts';
import { makeTemplates } from './world-templates.ts';
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

/** What every world begins with. */
interface Base {
  server: TestServer;
  owner: Registered;
  device: World['device'];
  spare: string;
}

/** What stands on that, each with what it gives, in the order in which it is made. */
const parts: readonly [gives: readonly (keyof World)[], make: (base: Base) => Promise<Partial<World>>][] = [
  [['placedNetwork'], async ({ server, owner }) => ({ placedNetwork: await makePlaced(server, owner) })],
  [
    ['view', 'group', 'tool', 'toolDevice', 'plan'],
    ({ server, owner, device }) => makeFleetParts(server, owner, device),
  ],
  [
    ['account', 'session', 'token', 'passkey', 'newPasskey', 'newMobile', 'newEmail', 'codes', 'totpCode'],
    async ({ server, owner }) => {
      const { mobile, ...personal } = await makePersonal(server, owner);
      const { accountId: id, email, password, bindingCode } = owner;
      return { account: { id, email, mobile, password, bindingCode }, ...personal };
    },
  ],
  [['station', 'blockedStation'], ({ server, owner, device }) => makeStations(server, owner, device)],
  [['password', 'passwordNetwork'], ({ server, owner, spare }) => makePasswords(server, owner, spare)],
  [['template', 'change', 'stoppedChange'], ({ server, owner, device }) => makeTemplates(server, owner, device)],
  [
    ['member', 'invitation', 'grant', 'receivedGrant', 'otherAccount', 'receivedInvitation'],
    ({ server, owner, device }) => makePeople(server, owner, device.gwid),
  ],
  [['qrCode'], ({ server }) => makeQr(server)],
  [['backup'], ({ server, owner, device }) => makeBackup(server, owner, device.gwid)],
  [['firmware'], ({ server, owner }) => makeFirmware(server, owner)],
  [
    ['setupToken'],
    async ({ server }) => ({
      setupToken: (await newSetupToken(server.db.database)) ?? 'there is an administrator already',
    }),
  ],
  // last: the number of what it logs is to be the highest
  [['message', 'undoable'], ({ server, owner, device }) => makeInbox(server, owner, device.gwid)],
];

/** What an example needs without naming it: a device that has a group to be taken from, an authenticator app in use. */
const unnamed: Readonly<Record<string, keyof World>> = {
  '/api/v3/ap/group/assign': 'group',
  '/api/v3/security/totp/disable': 'totpCode',
  '/api/v3/security/recovery/renew': 'totpCode',
};

/** What an endpoint's example is about in a world: a world for this endpoint alone needs no more. */
export function namedBy({ path, example }: AnyEndpoint, world: World): ReadonlySet<PropertyKey> {
  const named = new Set<PropertyKey>();
  if (unnamed[path]) named.add(unnamed[path]);
  example(
    new Proxy(world, {
      get: (target, key) => {
        named.add(key);
        return Reflect.get(target, key);
      },
    }),
  );
  return named;
}

/**
 * Registers an owner through the front door and gives the account two networks, two devices, a job, and the parts that are
 * named; all of them, unless told otherwise.
 */
export async function makeWorld(server: TestServer, named?: ReadonlySet<PropertyKey>): Promise<OwnedWorld> {
  const owner = await server.register();
  const gwid = await makeNetwork(server, owner, 'Lobby');
  const spare = await makeNetwork(server, owner, 'Spare');
  const serial = await insertDevice(server, owner.accountId, gwid);
  // whoever holds the device's socket answers here; commands of the matrix find it at home
  server.program.bus.respond(`dev.${owner.accountId}.${serial}.rpc`, async () => ({
    serial,
    uuid: 1,
    status: { error: 0, text: 'Success' },
  }));
  const device = { serial, gwid };
  const waiting = await insertDevice(server, owner.accountId, null);
  const world: Partial<World> = {
    network: { gwid },
    spareNetwork: { gwid: spare },
    device,
    waitingDevice: { serial: waiting },
    job: await makeJob(server, owner, device),
    log: { seq: 1 },
  };
  for (const [gives, make] of parts) {
    if (!named || gives.some((name) => named.has(name)))
      Object.assign(world, await make({ server, owner, device, spare }));
  }
  return { owner, world: world as World };
}

async function makeJob(server: TestServer, owner: Registered, device: World['device']): Promise<World['job']> {
  const { systemPool } = server.db.database;
  const id = newId();
  await systemPool.query(
    `insert into job (account_id, id, type, status, total, params, operator) values ($1, $2, 'test', 'waiting_offline', 1, '{}', 'test')`,
    [owner.accountId, id],
  );
  await systemPool.query(
    `insert into job_item (account_id, job_id, seq, serial, gwid, name, status) values ($1, $2, 0, $3, $4, 'item', 'waiting_offline')`,
    [owner.accountId, id, device.serial, device.gwid],
  );
  return { id };
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
