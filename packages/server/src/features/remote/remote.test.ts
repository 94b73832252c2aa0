import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { rttyDevice } from '@yunxun/contract/device';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  accessPoint,
  endDevices,
  enrol,
  type Identity,
  listedAs,
  switchOf,
} from '../../../test/conformance/device-client.ts';
import type { Json } from '../../../test/conformance/peer/json.ts';
import { logHead } from '../../../test/endpoints.ts';
import { host } from '../../../test/seed.ts';
import { seedPerson, signInAgain } from '../../../test/seed-account.ts';
import type { As, Registered, TestServer } from '../../../test/server.ts';
import { dialRelay, fillUntilStuck } from './testing/devices.ts';
import { opened, RemoteFixture } from './testing/fixture.ts';
import { TerminalPage } from './testing/page.ts';

let fixture: RemoteFixture;
let server: TestServer;
let owner: Registered;
let identity: Identity;
let gwid: string;

const call: RemoteFixture['call'] = (what, body, as) => fixture.call(what, body, as);
const allow = (enabled: boolean) => fixture.allow(enabled);
const open = (as?: As) => fixture.open(as);
const join: RemoteFixture['join'] = (request, as) => fixture.join(request, as);
const session = () => fixture.session();
const row = (id: string) => fixture.row(id);
const endsBy = (id: string, reason: string) => fixture.endsBy(id, reason);

beforeAll(async () => {
  fixture = await RemoteFixture.start();
  ({ server, owner, identity, gwid } = fixture);
});
afterEach(() => fixture.endAll());
afterAll(async () => {
  await endDevices();
  await server.stop();
});

describe('the account’s switch', () => {
  it('is off at first, and ends open sessions when it is turned off', async () => {
    expect(await call('settings')).toMatchObject({ data: { enabled: false, version: 1 } });
    const refused = await call('open', { ...opened, serial: identity.serial });
    expect(refused).toMatchObject({ code: 4114, data: { reason: 'off' } });
    await allow(true);
    const { id, page, device } = await session();
    await allow(false);
    expect(await page.hears('end')).toMatchObject({ reason: 'switched_off' });
    await endsBy(id, 'switched_off');
    await expect.poll(() => device.closed).toBe(true);
    await allow(true);
  });
});

describe('an access point', () => {
  it('shows its shell to the page, takes what is typed, and is counted', async () => {
    const { id, device, page } = await session();
    expect(await device.registered()).toBeNull();
    expect(device.heard).toContainEqual({ type: 'size', sid: 1, columns: 100, rows: 30 });
    page.type('root\r');
    await page.shows('login: root\r');
    page.say({ type: 'size', cols: 132, rows: 43 });
    await expect.poll(() => device.heard).toContainEqual({ type: 'size', sid: 1, columns: 132, rows: 43 });
    await expect.poll(async () => (await row(id))?.bytes_down).toBe('login: root\r'.length);
    expect(await row(id)).toMatchObject({
      state: 'open',
      target: expect.stringContaining('EAP102'),
      purpose: opened.purpose,
      bytes_up: 5,
    });
    const logged = await logHead(server, owner.accountId);
    expect(await call('end', { id })).toMatchObject({ code: 2000 });
    expect(await page.hears('end')).toMatchObject({ reason: 'by_person' });
    await page.leaves();
    await expect.poll(() => device.closed).toBe(true);
    expect(await logHead(server, owner.accountId)).toBe(logged + 1);
  });

  it('says that a file did not arrive, and goes on', async () => {
    const { device, page } = await session();
    const { file, data } = rttyDevice;
    const piece = Buffer.alloc(4000, 1);
    for (const frame of [file(1, 'offered', Buffer.from('log')), file(1, 'bytes', piece), file(1, 'end')])
      device.socket.write(frame);
    await page.hears('file_refused');
    page.outputs.length = 0;
    device.socket.write(file(1, 'wanted'));
    await expect.poll(() => device.heard).toContainEqual({ type: 'file_refused' });
    await page.hears('file_refused');
    device.socket.write(data(1, Buffer.from('goes on')));
    await page.shows('login: goes on');
  });

  it('goes on without its page, and shows again what a page missed', async () => {
    const { id, device, page } = await session();
    page.close();
    device.socket.write(rttyDevice.data(1, Buffer.from('while away')));
    const again = await TerminalPage.of(server, id, owner);
    await again.shows('login: ');
    await again.shows('while away');
    const third = await TerminalPage.of(server, id, owner);
    expect(await again.hears('replaced')).toBeDefined();
    await again.leaves();
    third.type('x');
    await third.shows('x');
    expect(await row(id)).toMatchObject({ state: 'open' });
  });

  it('joins once, with the token and the certificate of the session', async () => {
    const request = await open();
    const other = await enrol(server, owner, { gwid });
    for (const wrong of [other, {}]) {
      const device = await join(request, { key: undefined, cert: undefined, ...wrong } as Partial<Identity>);
      expect(await device.registered()).toContain('certificate');
      await expect.poll(() => device.closed).toBe(true);
    }
    const guessed = await join({ id: request.id, token: randomBytes(16).toString('hex') });
    expect(await guessed.registered()).toContain('token');
    expect(await (await join(request)).registered()).toBeNull();
    expect(await (await join(request)).registered()).toContain('token');
  });

  it('is cut off for a frame of a function that is not served', async () => {
    const { id, device } = await session();
    device.socket.write(Buffer.from([7, 0, 1, 0]));
    await expect.poll(() => device.closed).toBe(true);
    await endsBy(id, 'closed');
  });

  it('is cut off when it goes on after the end of its terminal', async () => {
    const request = await open();
    const device = await join(request);
    await device.registered();
    device.socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      if (chunk[0] !== 1) return;
      const after = rttyDevice.data(1, Buffer.from('more'));
      device.socket.write(Buffer.concat([rttyDevice.login(1), rttyDevice.logout(1), after]));
    });
    const page = await TerminalPage.of(server, request.id, owner);
    await page.hears('end');
    await expect.poll(() => device.closed).toBe(true);
  });

  it('is forgotten when it leaves with its registration', async () => {
    const request = await open();
    const device = await join(request);
    device.socket.destroy();
    await endsBy(request.id, 'closed');
    const late = await TerminalPage.of(server, request.id, owner);
    expect(await late.hears('end')).toMatchObject({ reason: 'closed' });
  });

  it('waits for a page that reads nothing', async () => {
    const { device, page } = await session();
    page.socket.pause();
    const sent = await fillUntilStuck(device.socket, rttyDevice.data(1, Buffer.alloc(4096, 'y')));
    page.socket.resume();
    await expect.poll(() => page.bytes).toBe(sent * 4096 + 'login: '.length);
  });
});

describe('a page', () => {
  it('is shown nothing without the bearer of the person who opened the session', async () => {
    const { id } = await session();
    const stranger = await seedPerson(server);
    const member = await seedPerson(server);
    await server.db.query(
      "insert into member (account_id, person_id, person_account_id, role) values ($1, $2, $3, 'admin')",
      [owner.accountId, member.userId, member.accountId],
    );
    const hellos = [
      'hello',
      { cols: 80, rows: 24 },
      { token: 'wrong', cols: 80, rows: 24 },
      { token: stranger.token, cols: 80, rows: 24 },
      { token: stranger.token, account: owner.accountId, cols: 80, rows: 24 },
      { token: member.token, account: owner.accountId, cols: 80, rows: 24 },
      { token: owner.token, cols: 0, rows: 24 },
    ];
    for (const hello of hellos) {
      const page = await TerminalPage.open(server, id, hello);
      expect([hello, await page.leaves(), page.outputs]).toEqual([hello, 1008, []]);
    }
  });

  it('learns why no session came about', async () => {
    const { id } = await open();
    const page = await TerminalPage.of(server, id, owner);
    expect(await page.hears('state')).toMatchObject({ state: 'waiting' });
    await call('end', { id });
    expect(await page.hears('end')).toMatchObject({ reason: 'by_person' });
    await page.leaves();
    const late = await TerminalPage.of(server, id, owner);
    expect(await late.hears('end')).toMatchObject({ reason: 'by_person' });
  });
});

describe('a session ends at once', () => {
  it('when its person signs out', async () => {
    const person = await signInAgain(server, { ...owner, personId: owner.userId }, new Date());
    const request = await open(person);
    await join(request);
    const page = await TerminalPage.of(server, request.id, person);
    await page.shows('login: ');
    expect((await server.get('/api/v3/logout', person)).code).toBe(2000);
    expect(await page.hears('end')).toMatchObject({ reason: 'no_rights' });
  });

  it('when a hosted person loses the right, of which the owner had a message', async () => {
    const guest = await seedPerson(server);
    await host(server, owner.accountId, guest.accountId, ['network.read', 'remote.use']);
    const as = { token: guest.token, account: owner.accountId };
    const request = await open(as);
    const { data } = await server.call<{ list: { template: string; params: object }[] }>(
      '/api/v3/message/list',
      {},
      owner,
    );
    expect(data.list[0]).toMatchObject({ template: 'remoteOpened', params: { purpose: opened.purpose } });
    await join(request);
    const page = await TerminalPage.of(server, request.id, guest, { account: owner.accountId });
    await page.shows('login: ');
    await server.db.query('update hosting_grant set revoked_at = now() where grantee_account_id = $1', [
      guest.accountId,
    ]);
    expect(await page.hears('end')).toMatchObject({ reason: 'no_rights' });
  });

  it('when its device is unbound', async () => {
    const leaving = await enrol(server, owner, { gwid });
    const device = accessPoint(leaving);
    await device.connect();
    await listedAs(server, owner, leaving.serial, { status: 'online' });
    const { data } = await call('open', { ...opened, serial: leaving.serial });
    const { params } = await device.command('rtty');
    await join({ id: data.id, token: String((params as Json).token) }, leaving);
    const page = await TerminalPage.of(server, data.id, owner);
    await page.shows('login: ');
    expect((await server.call('/api/v3/ap/unbind', { serials: [leaving.serial] }, owner)).code).toBe(2000);
    expect(await page.hears('end')).toMatchObject({ reason: 'unbound' });
  });
});

describe('a request that offers another protocol', () => {
  it('is served as if it offered none', async () => {
    const body = JSON.stringify({ page: 1 });
    const lines = [
      'POST /api/v3/network/list HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${owner.token}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'connection: Upgrade, HTTP2-Settings',
      'upgrade: h2c',
      'http2-settings: AAMAAABkAAQCAAAAAAIAAAAA',
    ];
    const socket = connect(server.program.httpPort, '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body.slice(0, 4)}`);
    socket.write(body.slice(4));
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"code":2000');
  });

  it('is answered whatever its path is', async () => {
    for (const path of ['//', 'http://[', '/api/v3/remote/terminal?session=%']) {
      const socket = connect(server.program.httpPort, '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`);
      expect([path, await text(socket)]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 4\d\d /)]);
    }
  });
});

describe('what cannot be opened', () => {
  it('has its reason', async () => {
    const reasons = async (serial: string) => (await call<{ list: object[] }>('targets', { serial })).data.list;
    const sw = await enrol(server, owner, { gwid, platform: 'switch' });
    const machine = switchOf(sw);
    await machine.connect();
    await listedAs(server, owner, sw.serial, { status: 'online' });
    expect(await reasons(sw.serial)).toEqual([{ kind: 'shell', reason: 'switch' }]);
    expect(await call('open', { ...opened, serial: sw.serial })).toMatchObject({
      code: 4114,
      data: { reason: 'switch' },
    });
    expect(await reasons(identity.serial)).toEqual([{ kind: 'shell', reason: null }]);
    const sleeping = await enrol(server, owner, { gwid });
    expect(await reasons(sleeping.serial)).toEqual([{ kind: 'shell', reason: 'offline' }]);
    expect((await call('open', { ...opened, serial: sleeping.serial })).code).toBe(4102);
    expect((await call('targets', {})).status).toBe(422);
  });

  it('is more than one session of an access point, which runs one rtty', async () => {
    await open();
    expect(await call('open', { ...opened, serial: identity.serial })).toMatchObject({
      code: 4106,
      data: { limit: 1, used: 1 },
    });
  });
});

describe('the port', () => {
  it('leaves connections that speak another protocol', async () => {
    const { remotePort } = server.program;
    await expect(dialRelay(remotePort, identity, 'http/1.1')).rejects.toThrow();
    const early = await dialRelay(remotePort, identity);
    early.on('error', () => undefined).write(Buffer.from([3, 0, 2, 1, 65]));
    await expect.poll(() => early.resume().closed).toBe(true);
    const agent = await dialRelay(remotePort, identity, 'yunxun-remote/1');
    agent.write(`${'x'.repeat(5000)}\n`);
    agent.on('error', () => undefined).resume();
    await expect.poll(() => agent.closed).toBe(true);
  });
});
