import { expect } from 'vitest';
import { enrol, type Identity } from '../../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import { call, fixture, online } from '../../configuration/testing/fixture.ts';

export const path = '/api/v3/wireless_template';
let made = 0;

export const template = async (ssids: object[], more: object = {}): Promise<{ id: string; name: string }> => {
  made += 1;
  const given = { kind: 'wireless', name: `Shops-${made}`, ssids, radios: [], ...more };
  const answer = await call<{ id: string }>(`${path}/create`, given);
  expect(answer.code, JSON.stringify(answer)).toBe(2000);
  return { id: answer.data.id, name: given.name };
};

interface Shown {
  version: number;
  ssids: { id: string; name: string; key_set: boolean }[];
}
export const detail = async (id: string): Promise<Shown> => (await call<Shown>(`${path}/detail`, { id })).data;

export const update = async (id: string, name: string, ssids: object[], more: object = {}) => {
  const { version } = await detail(id);
  return call<{ version: number }>(`${path}/update`, { id, name, version, ssids, radios: [], ...more });
};

const atOnce = { canary: 0, share: 100, rest: 0, stop_above: 100 };
interface Applied {
  change_id: string;
  job_id: string;
  devices: number;
}
export const apply = (id: string, targets: object, plan: object = atOnce) =>
  call<Applied>(`${path}/apply`, { id, ...targets, plan });

export interface ChangeState {
  open: boolean;
  reversed: boolean;
  sums: Record<string, number>;
  rounds: { cause: string; job_id: string; stopped: unknown }[];
  networks: { gwid: string; name: string; devices: number }[];
  devices: {
    serial: string;
    gwid: string;
    model: string | null;
    status: string;
    reason: string | null;
    wave: number;
  }[];
}
export const change = async (change_id: string): Promise<ChangeState> =>
  (await call<ChangeState>(`${path}/change/detail`, { change_id })).data;
export const settled = async (change_id: string) => {
  await expect.poll(async () => (await change(change_id)).open, { timeout: 20_000, interval: 50 }).toBe(false);
  const { sums: counted, reversed } = await change(change_id);
  const { list } = (await call<{ list: { id: string }[] }>(`${path}/change/list`, { limit: 200 })).data;
  expect(list.find(({ id }) => id === change_id)).toMatchObject({ sums: counted, reversed, open: false });
};
export const sums = async (id: string) =>
  Object.fromEntries(Object.entries((await change(id)).sums).filter(([, n]) => n > 0));

export const device = async (
  gwid: string,
  more: Parameters<typeof online>[1] = {},
): Promise<{ identity: Identity; device: AccessPoint }> => {
  const identity: Identity = {
    ...(await enrol(fixture.server, fixture.owner, { gwid })),
    port: fixture.server.program.devicePort,
  };
  return { identity, device: await online(identity, more) };
};

export function bare(text: string): unknown {
  const { uuid: _uuid, ...rest } = JSON.parse(text) as { uuid: number };
  return rest;
}

export const sql = async (text: string, values: unknown[] = []) =>
  (await fixture.server.db.query(text, values)).rows as Record<string, unknown>[];
