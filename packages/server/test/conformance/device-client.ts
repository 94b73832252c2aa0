import { randomBytes, sign } from 'node:crypto';
import { expect } from 'vitest';
import { eventually } from '../../../../tools/eventually.ts';
import { pollTimeoutMs } from '../../../../tools/poll-timeout.ts';
import { asOwner } from '../database.ts';
import type { Answer, Registered, TestServer } from '../server.ts';
import { AccessPoint } from './peer/access-point.ts';
import type { Firmware, FirmwareOptions } from './peer/firmware.ts';
import { DeviceFlash } from './peer/flash.ts';
import { type DeviceKey, makeKey, makeRequest } from './peer/identity.ts';
import { bridgingDocument } from './peer/stock.ts';
import { Switch } from './peer/switch.ts';

export interface Identity {
  serial: string;
  key: string;
  cert: string;
  ca: string;
  server: string;
  port: number;
}

interface Enrolled {
  certificate: string;
  ca: string;
  server: string;
  port: number;
  signing_key: string;
}

export interface EnrolOptions {
  serial?: string;
  key?: DeviceKey;
  gwid?: string;
  platform?: string;
  model?: string;
  renews?: boolean;
}

/** Returns an unused serial: not multicast, not the simulator's prefix. */
export const newSerial = (): string => `9c${randomBytes(5).toString('hex')}`;

/** Requests like enroll.sh; returns any answer. */
export function askToEnrol(
  server: TestServer,
  bindingCode: string,
  serial: string,
  csr: string,
  more: object = {},
  from?: string,
): Promise<Answer<Enrolled>> {
  const body = { binding_code: bindingCode, serial, csr, ...more };
  return server.call<Enrolled>('/api/v3/device/enroll', body, from === undefined ? {} : { from });
}

export function proofOf({ key, cert }: Pick<Identity, 'key' | 'cert'>, csr: string) {
  return { certificate: cert, signature: sign('sha256', Buffer.from(csr), key).toString('base64') };
}

export async function enrolAgain(server: TestServer, owner: Registered, before: Identity): Promise<Identity> {
  const key = makeKey();
  const csr = makeRequest(before.serial, key);
  const proof = proofOf(before, csr);
  const { code, message, data } = await askToEnrol(server, owner.bindingCode, before.serial, csr, { proof });
  expect({ code, message }).toMatchObject({ code: 2000 });
  return { ...before, key: key.keyPem, cert: data.certificate };
}

export async function enrol(server: TestServer, owner: Registered, options: EnrolOptions = {}): Promise<Identity> {
  const { serial = newSerial(), key = makeKey(), ...more } = options;
  const { code, message, data } = await askToEnrol(server, owner.bindingCode, serial, makeRequest(serial, key), more);
  expect({ code, message }).toMatchObject({ code: 2000 });
  return { serial, key: key.keyPem, cert: data.certificate, ca: data.ca, server: data.server, port: data.port };
}

const everybody = new Set<Firmware>();

/**
 * Unconnected access point, configured as a bridge by another console. Scripts have no effect: it sends only the test's
 * reports.
 */
export function accessPoint(identity: Identity, more: Partial<FirmwareOptions> = {}): AccessPoint {
  const flash = new DeviceFlash();
  flash.store(2, bridgingDocument);
  flash.active = 2;
  return remember(new AccessPoint(optionsOf(identity, { flash, shell: 'nothing', hidesFiles: true, ...more })));
}

/** Unconnected access point with the factory document and readable files. */
export function boxedAccessPoint(identity: Identity, more: Partial<FirmwareOptions> = {}): AccessPoint {
  return remember(new AccessPoint(optionsOf(identity, more)));
}

export function switchOf(identity: Identity, more: Partial<FirmwareOptions> = {}): Switch {
  return remember(new Switch(optionsOf(identity, more)));
}

export async function endDevices(): Promise<void> {
  await Promise.all([...everybody].map((device) => device.cut()));
  everybody.clear();
}

function optionsOf(identity: Identity, more: Partial<FirmwareOptions>): FirmwareOptions {
  return { ...identity, address: '127.0.0.1', validateHostname: true, ...more };
}

function remember<T extends Firmware>(device: T): T {
  everybody.add(device);
  return device;
}

export interface DeviceRow {
  serial: string;
  gwid: string | null;
  wanted_gwid: string | null;
  confirmed: boolean;
  kind: string;
  model: string | null;
  version: string | null;
  status: string;
  status_since: string | null;
  last_seen: string | null;
  sync_state: string | null;
  online_user: number | null;
  sanity: number | null;
  as_of: string | null;
}

export async function listed(server: TestServer, owner: Registered, serial: string): Promise<DeviceRow | undefined> {
  for (const path of ['/api/v3/ap/list', '/api/v3/device/waiting/list']) {
    const bodies = path.endsWith('ap/list') ? [{ kind: 'ap' }, { kind: 'switch' }, { kind: 'gateway' }] : [{}];
    for (const body of bodies) {
      const { data } = await server.call<{ list: DeviceRow[] }>(path, { ...body, keyword: serial, limit: 50 }, owner);
      const row = data?.list.find((entry) => entry.serial === serial);
      if (row) return row;
    }
  }
  return undefined;
}

export async function listedAs(
  server: TestServer,
  owner: Registered,
  serial: string,
  wanted: Partial<DeviceRow>,
): Promise<DeviceRow> {
  return eventually(async () => {
    const row = await listed(server, owner, serial);
    expect(row).toMatchObject(wanted);
    return row as DeviceRow;
  });
}

export async function comeOnline(server: TestServer, owner: Registered, identity: Identity): Promise<AccessPoint> {
  const device = accessPoint({ ...identity, port: server.program.devicePort! });
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return device;
}

/** Kills the program while it waits for an answer, and restarts it. */
export async function killedDuring(server: TestServer, jobId: string, device: Firmware): Promise<void> {
  const { serial } = device.options;
  const item = 'where job_id = $1 and serial = $2';
  const { rows } = await asOwner(server.db.owner, (client) =>
    client.query<{ detail: unknown; restarting_since: Date | null }>(
      `select detail, restarting_since from job_item join device using (account_id, serial) ${item} and status = 'running'`,
      [jobId, serial],
    ),
  );
  const [left] = rows;
  if (!left) throw new Error('the item is not under way');
  await device.cut();
  await server.restart(async ({ systemPool }) => {
    await systemPool.query(
      `update job_item set status = 'running', reason = null, finished_at = null, detail = $3 ${item}`,
      [jobId, serial, left.detail],
    );
    await systemPool.query('update device set restarting_since = $2 where serial = $1', [
      serial,
      left.restarting_since,
    ]);
    await systemPool.query(
      `select job_queue.add('job', json_build_object('accountId', account_id, 'jobId', id), null, null, 'job:' || id)
      from job where id = $1`,
      [jobId],
    );
  });
}

/** Lets the 20 minutes pass that a commanded device has to return; `task` looks after it. */
export async function overdue({ db }: TestServer, task: string, jobId: string, serial: string): Promise<void> {
  const { systemPool } = db.database;
  const earlier = "'{commanded_at}', to_jsonb(now() - interval '21 minutes'))";
  await systemPool.query(`update job_item set detail = jsonb_set(detail::jsonb, ${earlier} where job_id = $1`, [jobId]);
  await systemPool.query(
    `update graphile_worker._private_jobs set run_at = now(), payload = jsonb_set(payload::jsonb, ${earlier}
     where key like $1`,
    [`${task}:%${serial}`],
  );
}

/** Resolves on a rejection in the handshake, at the upgrade, or soon after. */
export async function turnedAway(device: Firmware, withinMs = pollTimeoutMs): Promise<void> {
  try {
    await device.connect();
  } catch {
    return;
  }
  await device.until('the server to hang up', () => device.socket === null, withinMs);
}

export interface Onboarding {
  server: { host: string; port: number; certificate_names: string[]; name_matches: boolean; local_only: boolean };
  connections: { serial: string; online: boolean }[];
  refusals: {
    reason: string;
    serial: string | null;
    ip: string | null;
    detail: string | null;
    sni: string | null;
    host: string | null;
  }[];
}

export async function onboarding(server: TestServer, owner: Registered): Promise<Onboarding> {
  return (await server.call<Onboarding>('/api/v3/device/onboarding', {}, owner)).data;
}
