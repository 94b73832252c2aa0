import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Registered, startTestServer, type TestServer } from '../server.ts';
import { askToEnrol, enrol, newSerial } from './device-client.ts';
import { makeKey, makeRequest } from './peer/identity.ts';

interface Code {
  id: string;
  code: string;
  name: string;
  devices: number;
  max_devices: number | null;
  state: string;
}

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await server.register();
});
afterAll(() => server.stop());

const call = <T>(path: string, body: object = {}, as = owner): Promise<Answer<T>> =>
  server.call<T>(`/api/v3/binding/${path}`, body, as);
const make = async (more: object = {}): Promise<Code> =>
  (await call<Code>('code/create', { name: 'Ms-Li', ...more })).data;
const listed = async (): Promise<Code[]> => (await call<{ list: Code[] }>('code/list')).data.list;
const use = (code: string, serial = newSerial(), from?: string) =>
  askToEnrol(server, code, serial, makeRequest(serial, makeKey()), {}, from);

describe('a binding code with limits', () => {
  it('binds its number of devices and no more; a device that enrolled with it may run the line again', async () => {
    const { code } = await make({ max_devices: 2 });
    const serial = newSerial();
    expect((await use(code, serial)).code).toBe(2000);
    expect((await use(code)).code).toBe(2000);
    for (const locale of ['en', 'zh-CN']) {
      const body = { binding_code: code, serial: newSerial(), csr: 'x' };
      const answer = await server.call('/api/v3/device/enroll', body, { locale });
      expect(answer.errors?.binding_code?.[0]).toMatch(locale === 'en' ? /^This binding code has/ : /\p{Script=Han}/u);
    }
    expect((await use(code, serial)).code).toBe(2000);
    expect(await listed()).toMatchObject([{ code, name: 'Ms-Li', devices: 2, max_devices: 2, state: 'used_up' }]);
  });

  it('lets one of two devices in that show a single-use code at once', async () => {
    const { code } = await make({ max_devices: 1 });
    const codes = await Promise.all([use(code), use(code), use(code)]);
    expect(codes.map((answer) => answer.code).toSorted()).toEqual([2000, 422, 422]);
  });

  it('expires after its days', async () => {
    const { id, code } = await make({ days: 7 });
    expect((await use(code)).code).toBe(2000);
    await server.db.database.systemPool.query(
      `update installer_code set expires_at = expires_at - interval '7 days' where id = $1`,
      [id],
    );
    expect((await use(code)).errors).toHaveProperty('binding_code');
    expect(await listed()).toMatchObject([{ state: 'expired' }]);
  });

  it('is over once it is withdrawn; the devices that it bound stay, and the account’s own code works on', async () => {
    const { id, code } = await make();
    const serial = newSerial();
    await use(code, serial);
    expect((await call('code/withdraw', { id })).code).toBe(2000);
    expect((await use(code)).errors).toHaveProperty('binding_code');
    expect((await server.call('/api/v3/ap/detail', { serial }, owner)).code).toBe(2000);
    expect(await listed()).toMatchObject([{ state: 'withdrawn', devices: 1 }]);
    expect((await use(owner.bindingCode)).code).toBe(2000);
  });

  it('outlives another code of the account’s own', async () => {
    const { code } = await make();
    await server.call('/api/v3/profile/binding_code/rotate', {}, owner);
    expect((await use(owner.bindingCode)).errors).toHaveProperty('binding_code');
    expect((await use(code)).code).toBe(2000);
  });

  it('is seen and ended by its own account only', async () => {
    const { id } = await make();
    const other = await server.register();
    expect((await call('code/withdraw', { id }, other)).code).toBe(4113);
    expect((await call<{ total: number }>('code/list', {}, other)).data.total).toBe(0);
  });

  it('is logged without the code itself', async () => {
    const { id, code } = await make({ max_devices: 1 });
    await call('code/withdraw', { id });
    const { data } = await server.call<{ list: { action: string }[] }>('/api/v3/log/action/list', {}, owner);
    expect(data.list.slice(0, 2).map(({ action }) => action)).toEqual(['binding_code.withdraw', 'binding_code.create']);
    expect(JSON.stringify(data)).not.toContain(code);
  });
});

describe('the use of codes', () => {
  it('is listed with time, serial, address and the name of the code', async () => {
    const { id, code } = await make();
    const [first, second] = [newSerial(), newSerial()];
    await use(code, first, '203.0.113.9');
    await enrol(server, owner, { serial: second });
    const all = await call<{ list: object[]; total: number }>('use/list');
    expect(all.data).toMatchObject({
      total: 2,
      list: [
        { serial: second, ip: '127.0.0.1', code_name: null },
        { serial: first, ip: '203.0.113.9', code_name: 'Ms-Li' },
      ],
    });
    const ofCode = await call<{ list: object[] }>('use/list', { code_id: id });
    expect(ofCode.data.list).toMatchObject([{ serial: first }]);
    expect(Date.parse((ofCode.data.list[0] as { at: string }).at)).toBeGreaterThan(Date.now() - 60_000);
  });
});
