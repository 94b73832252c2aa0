import { createHash } from 'node:crypto';
import type { firmware as contract, DataOf } from '@yunxun/contract';
import { expect } from 'vitest';
import { fixture, startFixture, stopFixture } from '../../src/features/configuration/testing/fixture.ts';
import { numbered } from '../numbered.ts';
import { accessPoint, enrol, type Identity, listedAs } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';
import type { FirmwareOptions } from './peer/firmware.ts';

export { fixture, startFixture as openFixture, stopFixture as closeFixture };

export interface Job {
  status: string;
  items: { serial: string; status: string; reason: string | null }[];
}
export type Preview = DataOf<typeof contract.upgradePreview>;
export type Log = DataOf<typeof contract.upgradeLog>;
export type Images = DataOf<typeof contract.imageList>;

export const model = 'Edgecore EAP102';
export const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
export const call = <T>(path: string, input: object) => fixture.server.call<T>(`/api/v3/${path}`, input, fixture.owner);
export const ask = async <T>(path: string, input: object): Promise<T> => {
  const answer = await call<T>(path, input);
  expect(answer, path).toMatchObject({ code: 2000 });
  return answer.data;
};
export const uri = 'http://images.example.org/eap102-v5.2.0.bin';
export const image = async (version: string) =>
  (
    await ask<{ id: string }>('firmware/image/create', {
      version,
      models: [model],
      name: 'eap102.bin',
      uri,
      sha256: 'a'.repeat(64),
      signature: 'c2lnbmVk',
    })
  ).id;
export const job = (id: string) => ask<Job>('job/detail', { job_id: id });
export const stateOf = (id: string, { options }: AccessPoint) =>
  expect.poll(async () => (await job(id)).items.find(({ serial }) => serial === options.serial));
export const log = (input: object = {}) => ask<Log>('log/upgrade/list', { limit: 50, ...input });

export const identities = new Map<string, Identity>();

export async function device(gwid: string): Promise<AccessPoint> {
  return start((await enrolled(gwid)).serial, was, 'coldboot');
}

export async function enrolled(gwid: string): Promise<Identity> {
  const identity = await enrol(fixture.server, fixture.owner, { gwid });
  identities.set(identity.serial, identity);
  return identity;
}

/** Waits for no status: a queued command may restart the device first. */
export async function connect(
  serial: string,
  firmware: string,
  bootCause: string,
  more: Partial<FirmwareOptions> = {},
): Promise<AccessPoint> {
  const one = accessPoint(identities.get(serial)!, { firmware, bootCause, actionMs: 10, ...more });
  await one.connect();
  return one;
}

export async function start(...args: Parameters<typeof connect>): Promise<AccessPoint> {
  const one = await connect(...args);
  const [serial] = args;
  await listedAs(fixture.server, fixture.owner, serial, { status: 'online' });
  return one;
}

export async function taken(one: AccessPoint, firmware: string, cause = 'upgrade'): Promise<AccessPoint> {
  await one.command('upgrade');
  await one.until('the restart', () => one.socket === null);
  return start(one.options.serial, firmware, cause);
}

export const commands = (one: AccessPoint, method: string) =>
  one.received.filter(({ command }) => command?.method === method).length;
export const network = async () =>
  (await ask<{ gwid: string }>('network/create', { remark: numbered(fixture.owner, 'Shop') })).gwid;
export const was = 'OpenWrt 25.12 / TIP-v5.1.0';
export const newest = 'OpenWrt 25.12 / TIP-v5.2.0';
export const usual = { first: 1, percent: 100, rest_s: 0, stop_above: 20, backup: false };
