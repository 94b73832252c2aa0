import type { AnyEndpoint, Seed } from '@yunxun/contract';
import { newSetupToken } from '../src/features/installation/settings.ts';
import { newId } from '../src/platform/database/index.ts';
import { newSerial } from './new-serial.ts';
import { makePeople, seedOwner } from './seed-account.ts';
import { makeAlarm, makeAlarmRule, makeBrowser, makeReport, makeSubscription } from './seed-alarms.ts';
import { makeBackup } from './seed-backup.ts';
import { makeBinding } from './seed-binding.ts';
import { makeClearing } from './seed-clearing.ts';
import { makeFapiao } from './seed-fapiao.ts';
import { makeFirmware } from './seed-firmware.ts';
import { makeFleetParts, makeShared } from './seed-fleet.ts';
import { makeGoods } from './seed-goods.ts';
import { makeGuests } from './seed-guests.ts';
import { makeInbox } from './seed-inbox.ts';
import { makeInvoices } from './seed-invoices.ts';
import { makePlaced } from './seed-map.ts';
import { makeOrders } from './seed-orders.ts';
import { makePasswords } from './seed-passwords.ts';
import { makePeripheral, makePeripheralSites } from './seed-peripherals.ts';
import { makePersonal } from './seed-personal.ts';
import { makePlugin } from './seed-plugins.ts';
import { makePortalTemplate, makeSitePage } from './seed-portal.ts';
import { makeRadius } from './seed-radius.ts';
import { makeRemote } from './seed-remote.ts';
import { makeSdwan } from './seed-sdwan.ts';
import { makeShield } from './seed-shield.ts';
import { makeQr } from './seed-sign-in.ts';
import { makeTemplates } from './seed-templates.ts';
import { makeStations } from './seed-users.ts';
import { makeWithdrawals } from './seed-withdrawals.ts';
import type { Registered, TestServer } from './server.ts';

/** Has an object of every kind that examples name. */
export interface OwnedSeed {
  owner: Registered;
  seed: Seed;
}

interface Base {
  server: TestServer;
  owner: Registered;
  device: Seed['device'];
  spare: string;
}

const parts: readonly [gives: readonly (keyof Seed)[], make: (base: Base) => Promise<Partial<Seed>>][] = [
  [['sharedDevice'], async ({ server, owner, device }) => ({ sharedDevice: await makeShared(server, owner, device) })],
  [['placedNetwork'], async ({ server, owner }) => ({ placedNetwork: await makePlaced(server, owner) })],
  [
    ['view', 'group', 'maintenance', 'tool', 'toolDevice', 'switchDevice', 'plan'],
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
    ['role', 'member', 'invitation', 'delegation', 'receivedDelegation', 'otherAccount', 'receivedInvitation'],
    ({ server, owner, device }) => makePeople(server, owner, device.gwid),
  ],
  [
    ['bindingCode', 'enrolmentRequest', 'serialTransfer'],
    ({ server, owner, device }) => makeBinding(server, owner, device),
  ],
  [
    ['portalNetwork', 'portalSession', 'portalVisit', 'portalMember', 'voucherBatch'],
    ({ server, owner }) => makeGuests(server, owner),
  ],
  [['portalTemplate'], ({ server, owner }) => makePortalTemplate(server, owner)],
  [['portalSitePage'], ({ server, owner }) => makeSitePage(server, owner)],
  [['alarm'], ({ server, owner, device }) => makeAlarm(server, owner, device)],
  [['alarmRule'], ({ server, owner, device }) => makeAlarmRule(server, owner, device)],
  [['alarmBrowser'], ({ server, owner }) => makeBrowser(server, owner)],
  [['report'], ({ server, owner }) => makeReport(server, owner)],
  [['subscription'], ({ server, owner }) => makeSubscription(server, owner)],
  [['peripheral'], ({ server, owner, device }) => makePeripheral(server, owner, device.gwid)],
  [['peripheralSite', 'scannedSite'], ({ server, owner }) => makePeripheralSites(server, owner)],
  [['remote'], ({ server, owner }) => makeRemote(server, owner)],
  [['package', 'cardBatch', 'usedCard', 'coupon', 'accountCoupon'], ({ server, owner }) => makeGoods(server, owner)],
  [
    ['order', 'decision', 'orphanDecision', 'paymentException', 'deferredItem'],
    ({ server, owner }) => makeOrders(server, owner),
  ],
  [['radiusNas'], ({ server, owner, device }) => makeRadius(server, owner, device.gwid)],
  [['invoice', 'invoiceTitle', 'issuedInvoice'], ({ server, owner }) => makeInvoices(server, owner)],
  [['fapiao'], ({ server, owner }) => makeFapiao(server, owner)],
  [['withdrawal', 'approvedWithdrawal'], ({ server, owner }) => makeWithdrawals(server, owner)],
  [['clearing'], ({ server }) => makeClearing(server)],
  [['plugin'], ({ server, owner }) => makePlugin(server, owner)],
  [['sdwan'], ({ server, owner }) => makeSdwan(server, owner)],
  [['shield'], ({ server, owner }) => makeShield(server, owner)],
  [['qrCode'], ({ server }) => makeQr(server)],
  [['backup'], ({ server, owner, device }) => makeBackup(server, owner, device.gwid)],
  [['firmware'], ({ server, owner }) => makeFirmware(server, owner)],
  [
    ['setupToken'],
    async ({ server }) => ({
      setupToken: (await newSetupToken(server.db.database)) ?? 'there is an administrator already',
    }),
  ],
  [['unconfirmedDevice'], ({ server, owner }) => makeUnconfirmed(server, owner)],
  // last: its log number must be the highest
  [['message', 'undoable'], ({ server, owner, device }) => makeInbox(server, owner, device.gwid)],
];

/** Parts that examples need without naming them. */
const unnamed: Readonly<Record<string, keyof Seed>> = {
  '/api/v3/billing/fapiao/settings/save': 'fapiao',
  '/api/v3/ap/group/assign': 'group',
  '/api/v3/billing/withdrawal/request': 'withdrawal',
  '/api/v3/install/withdrawal/rule/confirm': 'withdrawal',
  '/api/v3/install/withdrawal/rule/refuse': 'withdrawal',
  '/api/v3/security/totp/disable': 'totpCode',
  '/api/v3/security/recovery/renew': 'totpCode',
};

export function namedBy({ path, example }: AnyEndpoint, seed: Seed): ReadonlySet<PropertyKey> {
  const named = new Set<PropertyKey>();
  if (unnamed[path]) named.add(unnamed[path]);
  example(
    new Proxy(seed, {
      get: (target, key) => {
        named.add(key);
        return Reflect.get(target, key);
      },
    }),
  );
  return named;
}

/** `named`: the parts; default: all. */
export async function makeSeed(server: TestServer, named?: ReadonlySet<PropertyKey>): Promise<OwnedSeed> {
  const owner = !named || named.has('account') ? await server.register() : await seedOwner(server);
  const gwid = await makeNetwork(server, owner, 'Lobby');
  const spare = await makeNetwork(server, owner, 'Spare');
  const serial = await insertDevice(server, owner.accountId, gwid);
  // test commands always find the device online
  server.program.bus.respond(`dev.${owner.accountId}.${serial}.rpc`, async () => ({
    serial,
    uuid: 1,
    status: { error: 0, text: 'Success' },
  }));
  const device = { serial, gwid };
  const waiting = await insertDevice(server, owner.accountId, null);
  const seed: Partial<Seed> = {
    network: { gwid },
    spareNetwork: { gwid: spare },
    device,
    waitingDevice: { serial: waiting },
    job: await makeJob(server, owner, device),
    log: { seq: 1 },
  };
  for (const [gives, make] of parts) {
    if (!named || gives.some((name) => named.has(name)))
      Object.assign(seed, await make({ server, owner, device, spare }));
  }
  return { owner, seed: seed as Seed };
}

async function makeJob(server: TestServer, owner: Registered, device: Seed['device']): Promise<Seed['job']> {
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

async function makeUnconfirmed(server: TestServer, owner: Registered): Promise<Pick<Seed, 'unconfirmedDevice'>> {
  const serial = await insertDevice(server, owner.accountId, await makeNetwork(server, owner, 'Far'));
  await server.db.database.systemPool.query('update device set confirmed = false where serial = $1', [serial]);
  return { unconfirmedDevice: { serial } };
}

async function insertDevice(server: TestServer, accountId: string, gwid: string | null): Promise<string> {
  const serial = newSerial();
  const { systemPool } = server.db.database;
  await systemPool.query(
    `insert into serial_directory (serial, account_id, enrolled_at, first_connected_at) values ($1, $2, now(), now())`,
    [serial, accountId],
  );
  await systemPool.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, platform, firmware, capabilities, bound_at, first_seen, last_seen, offline_since)
     values (true, $1, $2, $3, 'ap', 'AP-1', 'Test AP', 'ap', 'TIP-test', $4, now(), now(), now(), now())`,
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

/** Bypasses the endpoint. */
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
