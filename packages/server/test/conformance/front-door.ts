import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { asOwner } from '../database.ts';
import type { Answer, Registered, TestServer } from '../server.ts';
import { AccessPoint } from './peer/access-point.ts';
import type { Firmware, FirmwareOptions } from './peer/firmware.ts';
import { type DeviceKey, makeKey, makeRequest } from './peer/identity.ts';
import { Switch } from './peer/switch.ts';

/** What enrolment leaves on a device. */
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
  /** It renews its certificate by itself. */
  renews?: boolean;
}

/** A serial that no other test uses; not multicast, not the simulator's prefix. */
export const newSerial = (): string => `9c${randomBytes(5).toString('hex')}`;

/** Asks for a certificate as enroll.sh does, and gives the answer whatever it is. */
export function askToEnrol(
  server: TestServer,
  bindingCode: string,
  serial: string,
  csr: string,
  more: object = {},
): Promise<Answer<Enrolled>> {
  return server.call<Enrolled>('/api/v3/device/enroll', { binding_code: bindingCode, serial, csr, ...more });
}

/** Enrols a device and gives what it would write to its flash. */
export async function enrol(server: TestServer, owner: Registered, options: EnrolOptions = {}): Promise<Identity> {
  const { serial = newSerial(), key = makeKey(), ...more } = options;
  const { code, message, data } = await askToEnrol(server, owner.bindingCode, serial, makeRequest(serial, key), more);
  expect({ code, message }).toMatchObject({ code: 2000 });
  return { serial, key: key.keyPem, cert: data.certificate, ca: data.ca, server: data.server, port: data.port };
}

const everybody = new Set<Firmware>();

/** An access point with an identity, not connected yet. */
export function accessPoint(identity: Identity, more: Partial<FirmwareOptions> = {}): AccessPoint {
  return remember(new AccessPoint(optionsOf(identity, more)));
}

/** A switch with an identity, not connected yet. */
export function switchOf(identity: Identity, more: Partial<FirmwareOptions> = {}): Switch {
  return remember(new Switch(optionsOf(identity, more)));
}

/** Ends every device that a test made. */
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

/** A device as the console lists it, wherever it is: in a network or waiting. */
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

/** Waits until the console lists a device as the test wants it. */
export async function listedAs(
  server: TestServer,
  owner: Registered,
  serial: string,
  wanted: Partial<DeviceRow>,
): Promise<DeviceRow> {
  await expect.poll(() => listed(server, owner, serial), { timeout: 15_000, interval: 50 }).toMatchObject(wanted);
  return (await listed(server, owner, serial)) as DeviceRow;
}

/** An access point that is there once the console says so; it comes to wherever the server listens now. */
export async function comeOnline(server: TestServer, owner: Registered, identity: Identity): Promise<AccessPoint> {
  const device = accessPoint({ ...identity, port: server.program.devicePort! });
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return device;
}

/**
 * Ends the program as if it were killed while it waits for a device's answer, and starts it again: what it wrote of that
 * after the device lost its connection is not there, and its job is taken up again.
 */
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

/** Resolves when the server does not let a device stay: in the handshake, at the upgrade, or by closing soon after. */
export async function turnedAway(device: Firmware, withinMs = 10_000): Promise<void> {
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
  refusals: { reason: string; serial: string | null; ip: string | null; detail: string | null }[];
}

/** What the console says to "why is it not here yet". */
export async function onboarding(server: TestServer, owner: Registered): Promise<Onboarding> {
  return (await server.call<Onboarding>('/api/v3/device/onboarding', {}, owner)).data;
}
