import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataOf, fleetTools } from '@yunxun/contract';
import { expect } from 'vitest';
import { upload } from '../../../../../../edge/src/trace/upload.ts';
import { newSerial } from '../../../../../test/new-serial.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../../test/server.ts';

export type Detail = DataOf<typeof fleetTools.toolDetail>;
export interface Rpc {
  method: string;
  params: Record<string, unknown>;
}
type Answerer = (rpc: Rpc) => Promise<object> | object;

export let server: TestServer;
export let owner: Registered;
let gwid: string;
let ahead = 0;

export async function startFixture(): Promise<void> {
  server = await startTestServer({ clock: { now: () => new Date(Date.now() + ahead) } });
  owner = await server.register();
  gwid = (await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Hall' }, owner)).data.gwid;
}

export const stopFixture = () => server.stop();

/** Milliseconds by which the console's clock is ahead. */
export function goAhead(ms: number): void {
  ahead = ms;
}

export const done = (status: object) => ({ status: { error: 0, ...status } });

export async function device(
  answer: Answerer | null,
  {
    platform = 'ap',
    firmware = 'TIP',
    online = true,
    capabilities = {},
  }: { platform?: string; firmware?: string; online?: boolean; capabilities?: object } = {},
): Promise<string> {
  const serial = newSerial();
  await server.db.database.systemPool.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, platform, firmware, capabilities, bound_at, first_seen, last_seen, online, online_since)
     values (true, $1, $2, $3, 'ap', 'AP', $4, $5, $7, now(), now(), now(), $6, now())`,
    [owner.accountId, serial, gwid, platform, firmware, online, JSON.stringify(capabilities)],
  );
  if (answer) {
    const respond = async (rpc: unknown) => ({ serial, uuid: 1, ...(await answer(rpc as Rpc)) });
    server.program.bus.respond(`dev.${owner.accountId}.${serial}.rpc`, respond);
  }
  return serial;
}

export const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/network/tool/${path}`, input, owner);

export async function use(serial: string, input: object): Promise<string> {
  const { code, message, data } = await call<{ id: string }>('run', { serial, ...input });
  expect(code, message).toBe(2000);
  return data.id;
}

export async function once(id: string, state: string): Promise<Detail> {
  let last: Detail | undefined;
  await expect
    .poll(async () => {
      last = (await call<Detail>('detail', { id })).data;
      return last.state;
    })
    .toBe(state);
  return last!;
}

export async function fetched(id: string): Promise<{ status: number; name: string | null; bytes: Buffer }> {
  const { data } = await call<{ url: string }>('file', { id });
  const response = await fetch(server.url + data.url, { headers: { authorization: `Bearer ${owner.token}` } });
  return {
    status: response.status,
    name: response.headers.get('content-disposition'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** Returns null on success. */
export async function bring(uri: string, bytes: Buffer): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'yunxun-upload-'));
  const file = join(folder, 'trace.pcap');
  writeFileSync(file, bytes);
  // the test server's address differs from its public URL
  const text = await upload(uri.replace(/^https?:\/\/[^/]+/, server.url), '02aabbccddee', file, []);
  rmSync(folder, { recursive: true });
  return text;
}
