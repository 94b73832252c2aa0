import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { rttyDevice } from '@yunxun/contract/device';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { accessPoint, endDevices, enrol, type Identity, listedAs } from '../../../test/conformance/device-client.ts';
import type { Json } from '../../../test/conformance/peer/json.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { natsServer, startNats } from '../../platform/bus/testing/nats-server.ts';
import { fillUntilStuck, RttyDouble } from './testing/devices.ts';
import { EdgeSite } from './testing/edge-site.ts';
import { FilesPage, hashOf } from './testing/files-page.ts';
import { TerminalPage } from './testing/page.ts';
import { RfbDouble } from './testing/rfb.ts';
import { WebBrowser } from './testing/web-browser.ts';

describe.skipIf(!natsServer && !process.env.CI)(
  'console and gateway in two processes (skipped where nats-server is not installed)',
  () => {
    const remoteHost = 'remote.test';
    let nats: Awaited<ReturnType<typeof startNats>>;
    let gateway: TestServer;
    let server: TestServer;
    let owner: Registered;
    let identity: Identity;

    beforeAll(async () => {
      nats = await startNats();
      gateway = await startTestServer({ config: { roles: ['gateway'], busUrl: nats.url, remoteHost } });
      const db = { ...gateway.db, database: await gateway.db.reopen(), drop: async () => undefined };
      server = await startTestServer({
        db,
        config: { roles: ['console', 'worker'], busUrl: nats.url, remotePort: gateway.program.remotePort, remoteHost },
      });
      owner = await server.register();
      identity = { ...(await enrol(server, owner)), port: gateway.program.devicePort };
    });
    afterAll(async () => {
      await endDevices();
      await server.stop();
      await gateway.stop();
      await nats.stop();
    });

    it('joins page and device, stops the device while the page reads nothing, and ends both', async () => {
      const { data: network } = await server.call<{ gwid: string }>(
        '/api/v3/network/create',
        { remark: 'Hall' },
        owner,
      );
      await server.db.query('update device set gwid = $1, confirmed = true where serial = $2', [
        network.gwid,
        identity.serial,
      ]);
      const ap = accessPoint(identity);
      await ap.connect();
      await listedAs(server, owner, identity.serial, { status: 'online' });
      await server.call('/api/v3/remote/settings/save', { enabled: true, version: 1 }, owner);
      const asked = { serial: identity.serial, kind: 'shell', purpose: 'Repair', cols: 80, rows: 24 };
      const { data } = await server.call<{ id: string }>('/api/v3/remote/open', asked, owner);
      const { params } = await ap.command('rtty');
      const { id, token, port } = params as Json;
      expect(port).toBe(gateway.program.remotePort);
      const page = await TerminalPage.of(server, data.id, owner);
      const device = await RttyDouble.join(gateway.program.remotePort, identity, {
        id: String(id),
        token: String(token),
      });
      await page.shows('login: ');
      page.type('root\r');
      await page.shows('root\r');
      const before = page.bytes;
      page.socket.pause();
      const sent = await fillUntilStuck(device.socket, rttyDevice.data(1, Buffer.alloc(4096, 'z')));
      page.socket.resume();
      await expect.poll(() => page.bytes).toBe(before + sent * 4096);
      await server.call('/api/v3/remote/end', { id: data.id }, owner);
      expect(await page.hears('end')).toMatchObject({ reason: 'by_person' });
      await expect.poll(() => device.closed).toBe(true);
      await page.leaves();
    });

    it('joins a page to the files of the process that has the device', async () => {
      const site = await EdgeSite.open(server, gateway.program);
      const { id } = await site.open({ serial: site.identity.serial }, 'shell');
      const page = await TerminalPage.of(server, id, site.owner);
      await page.shows('box login: ');
      const files = await FilesPage.open(server, id, { token: site.owner.token });
      expect(await files.asks({ type: 'list', path: '/etc' })).toMatchObject({ type: 'list', path: '/etc' });
      const sent = randomBytes(4 * 1024 * 1024);
      expect(await files.writes('/etc/new', sent)).toEqual({ type: 'done' });
      expect(await files.asks({ type: 'read', path: '/etc/new' })).toEqual({ type: 'done' });
      expect(files.hash()).toBe(hashOf(sent));
      await files.starts('/etc/part', 1000);
      await site.call('remote/end', { id });
      expect(await files.hears('failed')).toMatchObject({ reason: 'ended' });
      await files.leaves();
    });

    it('shows the screen of a device, and sends it keys', async () => {
      const site = await EdgeSite.open(server, gateway.program);
      const vnc = new RfbDouble();
      await site.reach('192.168.1.65:5900', vnc.server);
      const { id } = await site.open(await site.peripheral('192.168.1.65', { screen_port: 5900 }), 'vnc');
      const page = await TerminalPage.of(server, id, site.owner);
      await page.shows('RFB 003.008\n');
      page.type(Buffer.concat([Buffer.from('RFB 003.008\n'), Buffer.from([1, 1])]));
      await page.shows('till');
      page.type(Buffer.from([2, 0, 0, 1, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0xff, 0x0d]));
      page.type(Buffer.from([3, 0, 0, 0, 0, 0, 0, 8, 0, 4]));
      await page.shows('\x77'.repeat(8 * 4 * 4));
      expect(vnc.keys).toEqual([0xff0d]);
      page.close();
      await expect.poll(() => vnc.closed).toBe(1);
      vnc.server.close();
    });

    it('passes pages of devices and their WebSockets on to the process that has the device', async () => {
      const site = await EdgeSite.open(server, gateway.program);
      const listener = createServer((request, response) => response.end(`${request.method} ${request.url}`));
      new WebSocketServer({ server: listener }).on('connection', (socket) => socket.send('live'));
      await site.reach('192.168.1.64:80', listener);
      const { id } = await site.open(await site.peripheral('192.168.1.64', { web_port: 80 }), 'web');
      const { data } = await site.call<{ address: string }>('remote/web/enter', { id });
      const browser = new WebBrowser(server.program.httpPort);
      const { page } = await browser.enter(data.address);
      const asked = ['/a', '/b?c=1'].map((path) => browser.get(page + path, {}, 'POST', 'x'));
      expect((await Promise.all(asked)).map(({ text }) => text)).toEqual(['POST /a', 'POST /b?c=1']);
      const socket = browser.socket(`${page}/live`, { origin: page });
      expect(String((await once(socket, 'message'))[0])).toBe('live');
      const closed = once(socket, 'close');
      await site.call('remote/end', { id });
      await closed;
      await expect.poll(async () => (await browser.get(`${page}/a`)).status).toBe(403);
      listener.close();
    });
  },
);
