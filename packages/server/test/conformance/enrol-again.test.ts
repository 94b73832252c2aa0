import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import {
  accessPoint,
  askToEnrol,
  comeOnline,
  endDevices,
  enrol,
  enrolAgain,
  type Identity,
  listedAs,
  newSerial,
  onboarding,
  proofOf,
  turnedAway,
} from './device-client.ts';
import { makeKey, makeRequest } from './peer/identity.ts';

const stranger = '203.0.113.7';
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

interface Request {
  serial: string;
  name: string;
  ip: string;
  online: boolean;
  platform: string | null;
  model: string | null;
  tries: number;
  allowed_until: string | null;
}

const ask = (serial: string, { from = stranger, more = {} }: { from?: string; more?: object } = {}) =>
  askToEnrol(server, owner.bindingCode, serial, makeRequest(serial, makeKey()), more, from);
const decide = (serial: string, decision: 'allow' | 'refuse', ip = stranger, by: Registered = owner) =>
  server.call('/api/v3/binding/request/decide', { serial, ip, decision }, by);
async function requests(of: Registered = owner): Promise<Request[]> {
  const answer = await server.call<{ list: Request[]; total: number }>('/api/v3/binding/request/list', {}, of);
  expect(answer.data.total).toBe(answer.data.list.length);
  return answer.data.list;
}
async function online(): Promise<{ identity: Identity; device: Awaited<ReturnType<typeof comeOnline>> }> {
  const identity = await enrol(server, owner, { platform: 'ap', model: 'EAP102' });
  return { identity, device: await comeOnline(server, owner, identity) };
}

describe('a serial that is online', () => {
  it('is not given a certificate for the binding code alone, and stays online', async () => {
    const { identity, device } = await online();
    const { serial } = identity;
    for (const locale of ['en', 'zh-CN']) {
      const body = { binding_code: owner.bindingCode, serial, csr: makeRequest(serial, makeKey()) };
      const answer = await server.call('/api/v3/device/enroll', body, { locale, from: stranger });
      expect(answer).toMatchObject({ status: 200, code: 4117, data: null });
      expect(answer.message).toContain(stranger);
      expect(answer.message).toContain(locale === 'en' ? 'Waiting devices' : '待接入设备');
    }
    expect(device.socket).not.toBeNull();
    await listedAs(server, owner, serial, { status: 'online' });
  });

  it('is listed once with the address and what the request says, and its account reads one message', async () => {
    const { identity } = await online();
    const { serial } = identity;
    await ask(serial, { more: { platform: 'ap', model: 'Other board' } });
    await ask(serial, { more: { platform: 'ap', model: 'Other board' } });
    await ask(serial, { from: '203.0.113.8' });
    const reported = { serial, online: true, allowed_until: null };
    expect(await requests()).toMatchObject([
      { ...reported, ip: '203.0.113.8', tries: 1 },
      { ...reported, ip: stranger, tries: 2, platform: 'ap', model: 'Other board' },
    ]);
    const { data } = await server.call<{ list: { template: string; params: object }[] }>(
      '/api/v3/message/list',
      {},
      owner,
    );
    expect(data.list).toMatchObject([{ template: 'enrolmentWaits', params: { serial, address: stranger } }]);
    expect(await requests(await server.register())).toEqual([]);
  });

  it('is given one after a person allowed it: once, to that address, and the one before is revoked', async () => {
    const { identity, device } = await online();
    const { serial } = identity;
    await ask(serial);
    expect(await decide(serial, 'allow')).toMatchObject({ code: 2000 });
    expect((await requests())[0]!.allowed_until).not.toBeNull();
    expect((await ask(serial, { from: '203.0.113.8' })).code).toBe(4117);
    const key = makeKey();
    const { code, data } = await askToEnrol(server, owner.bindingCode, serial, makeRequest(serial, key), {}, stranger);
    expect(code).toBe(2000);
    await device.closed;
    await turnedAway(accessPoint(identity));
    await comeOnline(server, owner, { ...identity, key: key.keyPem, cert: data.certificate });
    expect((await ask(serial)).code).toBe(4117);
  });

  it('is refused after a person refused it, from that address only', async () => {
    const { identity } = await online();
    const { serial } = identity;
    await ask(serial);
    expect(await decide(serial, 'refuse')).toMatchObject({ code: 2000 });
    expect((await ask(serial)).code).toBe(4118);
    await expect
      .poll(async () => (await onboarding(server, owner)).refusals)
      .toContainEqual(expect.objectContaining({ reason: 'enrolment-refused', serial }));
    expect((await ask(serial, { from: '203.0.113.8' })).code).toBe(4117);
    expect(await requests()).toMatchObject([{ ip: '203.0.113.8' }]);
  });

  it('is not allowed for another account, nor without a request', async () => {
    const { identity } = await online();
    const { serial } = identity;
    expect((await decide(serial, 'allow')).code).toBe(4113);
    await ask(serial);
    expect((await decide(serial, 'allow', stranger, await server.register())).code).toBe(4113);
    expect((await ask(serial)).code).toBe(4117);
  });

  it('forgets what a person allowed after an hour', async () => {
    const { identity } = await online();
    const { serial } = identity;
    await ask(serial);
    await decide(serial, 'allow');
    await server.db.database.systemPool.query(
      `update enrolment_request set until = until - interval '1 hour' where serial = $1`,
      [serial],
    );
    expect((await ask(serial)).code).toBe(4117);
  });
});

describe('a proof by the old key', () => {
  it('gives a certificate at once, and the old one counts until the new one has opened a session', async () => {
    const { identity, device } = await online();
    const again = await enrolAgain(server, owner, identity);
    expect(device.socket).not.toBeNull();
    await device.cut();
    await comeOnline(server, owner, again);
    await turnedAway(accessPoint(identity));
    expect(await requests()).toEqual([]);
  });

  it('is none by another key, by a certificate of another device, or over another request', async () => {
    const { identity } = await online();
    const other = await enrol(server, owner);
    const { serial } = identity;
    const csr = makeRequest(serial, makeKey());
    const wrong = [
      { ...proofOf({ key: makeKey().keyPem, cert: identity.cert }, csr) },
      proofOf(other, csr),
      proofOf(identity, makeRequest(serial, makeKey())),
      { certificate: 'text', signature: 'AAAA' },
    ];
    for (const proof of wrong) {
      const answer = await askToEnrol(server, owner.bindingCode, serial, csr, { proof }, stranger);
      expect(answer.code).toBe(4117);
    }
  });

  it('is none by a certificate that was revoked', async () => {
    const { identity, device } = await online();
    const again = await enrolAgain(server, owner, identity);
    await device.cut();
    await comeOnline(server, owner, again);
    const csr = makeRequest(identity.serial, makeKey());
    const proof = proofOf(identity, csr);
    expect((await askToEnrol(server, owner.bindingCode, identity.serial, csr, { proof })).code).toBe(4117);
  });
});

describe('without a proof', () => {
  it('a device that was never online enrols again from where it enrolled, and from elsewhere not', async () => {
    const serial = newSerial();
    expect((await ask(serial)).code).toBe(2000);
    expect((await ask(serial)).code).toBe(2000);
    expect((await ask(serial, { from: '203.0.113.8' })).code).toBe(4117);
  });

  it('a device that was unbound enrols again', async () => {
    const { identity } = await online();
    const { serial } = identity;
    await ask(serial);
    await server.call('/api/v3/device/unbind', { serial }, owner);
    expect((await ask(serial)).code).toBe(2000);
    expect(await requests()).toEqual([]);
  });
});
