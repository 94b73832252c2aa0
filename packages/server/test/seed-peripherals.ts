import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import { xlsx } from '../src/platform/http/xlsx.ts';
import { newSerial } from './new-serial.ts';
import { allowRemote } from './seed-remote.ts';
import type { Registered, TestServer } from './server.ts';

export async function makePeripheral(
  server: TestServer,
  owner: Registered,
  gwid: string,
): Promise<Pick<Seed, 'peripheral'>> {
  const given = { gwid, name: 'Front-Camera', type: 'camera', ip: '192.168.1.20', mode: 'tcp', detect_port: 554 };
  const more = { web_port: 80, shell_port: 22 };
  const { data } = await server.call<{ id: string }>('/api/v3/peripheral/create', { ...given, ...more }, owner);
  const login = { peripheral_id: data.id, version: 0, user: 'admin', password: 'correct1horse' };
  await server.call('/api/v3/remote/credential/save', login, owner);
  return { peripheral: { id: data.id } };
}

/** Makes a network with a gateway that can scan, and one with an open scan. */
export async function makePeripheralSites(
  server: TestServer,
  owner: Registered,
): Promise<Pick<Seed, 'peripheralSite' | 'scannedSite'>> {
  const { systemPool } = server.db.database;
  const network = async (remark: string) =>
    (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner)).data.gwid;
  const gwid = await network('Scannable');
  const scanned = await network('Scanned');
  const serial = newSerial();
  const capabilities = {
    platform: 'olg',
    yunxun: { abilities: { watch: true, scan: true, wake: true, snapshot: true } },
  };
  await systemPool.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, platform, firmware, capabilities, bound_at, first_seen, last_seen, online, online_since)
     values (true, $1, $2, $3, 'gateway', 'Edge', 'Box', 'olg', 'yunxun', $4, now(), now(), now(), true, now())`,
    [owner.accountId, serial, gwid, JSON.stringify(capabilities)],
  );
  await systemPool.query('update network set gateway_serial = $1 where gwid = $2', [serial, gwid]);
  await allowRemote(server, owner.accountId);
  await systemPool.query(
    `insert into peripheral_scan (account_id, gwid, id, state, started_at) values ($1, $2, $3, 'running', now())`,
    [owner.accountId, scanned, newId()],
  );
  const given = { gwid, name: 'Rack-Server', type: 'server', ip: '192.168.1.30', mac: '001b21000001', mode: 'icmp' };
  const ports = { detect_port: null, web_port: null, shell_port: 22 };
  const { data } = await server.call<{ id: string }>('/api/v3/peripheral/create', { ...given, ...ports }, owner);
  const lines = async function* () {
    yield [['Till-Printer', '192.168.1.70']];
  };
  const book = xlsx(['Name', 'Address'], lines());
  const file = (await buffer(Readable.from(book))).toString('base64');
  const camera = { gwid, name: 'Gate-Camera', type: 'camera', ip: '192.168.1.64', mac: '001b21000002', mode: 'icmp' };
  const made = await server.call<{ id: string }>(
    '/api/v3/peripheral/create',
    { ...camera, detect_port: null, web_port: 80, shell_port: null },
    owner,
  );
  return { peripheralSite: { gwid, id: data.id, file, cameraId: made.data.id }, scannedSite: { gwid: scanned } };
}
