import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { asOwner } from '../database.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { enrol, type Identity, listedAs, newSerial, onboarding } from './device-client.ts';

let server: TestServer;
let owner: Registered;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await server.register();
});
afterAll(() => server.stop());

interface Frame {
  method: string;
  params: Record<string, unknown>;
}

/** Session of an edge agent over TLS, authenticated in both directions. */
async function session(identity: Identity, quiet = false) {
  const { serial } = identity;
  const socket = new WebSocket(`wss://localhost:${identity.port}/`, { ...tlsOf(identity), perMessageDeflate: false });
  const frames: Frame[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data)) as Frame));
  const closed = once(socket, 'close').then(([code, reason]) => [code, String(reason)]);
  await once(socket, 'open');
  const yunxun = { agent: '0.5.0', renews: true, abilities: {}, missing: [], quiet };
  const capabilities = {
    platform: 'olg',
    compatible: 'yunxun_edge',
    model: 'Box',
    network: { WAN1: ['eth0'] },
    yunxun,
  };
  const params = { serial, firmware: 'Yunxun edge 0.5.0', uuid: 1, reason: 'socket', capabilities };
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'connect', params }));
  const methods = () => frames.map(({ method }) => method);
  return { socket, frames, methods, closed };
}

const tlsOf = ({ ca, cert, key }: Identity) => ({ ca, cert, key });

/** Covers an upgrade and `/reach`. */
async function statuses(identity: Identity): Promise<[number, number]> {
  const socket = new WebSocket(`wss://localhost:${identity.port}/`, tlsOf(identity));
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  const upgrade = response.statusCode;
  socket.terminate();
  const asked = connect({ port: identity.port, host: '127.0.0.1', servername: 'localhost', ...tlsOf(identity) });
  await once(asked, 'secureConnect');
  asked.write('GET /reach HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  const [part] = (await once(asked, 'data')) as [Buffer];
  asked.destroy();
  return [upgrade, Number(/^HTTP\/1\.1 (\d{3})/.exec(part.toString())?.[1])];
}

async function unbind(serial: string): Promise<void> {
  expect(await server.call('/api/v3/device/unbind', { serial }, owner)).toMatchObject({ code: 2000 });
}

it('learns that it was unbound before its session ends, and at every later connection', async () => {
  const identity = await enrol(server, owner, { platform: 'olg', renews: true });
  const { serial } = identity;
  const device = await session(identity);
  await listedAs(server, owner, serial, { status: 'online' });
  await unbind(serial);
  expect(await device.closed).toEqual([1008, 'unbound']);
  expect(device.frames.at(-1)).toMatchObject({ method: 'yunxun.unbound', params: { serial } });
  expect(await statuses(identity)).toEqual([410, 410]);

  const again = await enrol(server, owner, { serial, platform: 'olg', renews: true });
  const back = await session(again, true);
  await listedAs(server, owner, serial, { status: 'online' });
  // questions of the first contact may come before it
  await expect
    .poll(() => back.frames.find(({ method }) => method === 'yunxun.bound'))
    .toMatchObject({ params: { serial, same: true } });
  expect(await statuses(identity)).toEqual([403, 403]);
  back.socket.terminate();
});

it('is unknown, not unbound, to a console whose backup is older than the enrolment', async () => {
  const identity = await enrol(server, owner, { platform: 'olg', renews: true });
  const { serial } = identity;
  await asOwner(server.db.owner, async (client) => {
    for (const table of ['serial_directory', 'device_certificate', 'device'])
      await client.query(`delete from ${table} where serial = $1`, [serial]);
  });
  expect(await statuses(identity)).toEqual([403, 403]);

  // the backup has an earlier binding that ended, and not the later certificate
  const bound = await enrol(server, owner, { serial: newSerial(), platform: 'olg', renews: true });
  await unbind(bound.serial);
  const later = await enrol(server, owner, { serial: bound.serial, platform: 'olg', renews: true });
  await unbind(bound.serial);
  await asOwner(server.db.owner, (client) =>
    client.query(
      'delete from device_certificate where serial = $1 and issued_at = (select max(issued_at) from device_certificate where serial = $1)',
      [bound.serial],
    ),
  );
  expect(await statuses(later)).toEqual([403, 403]);
  expect(await statuses(bound)).toEqual([410, 410]);
});

it('restores nothing of the account that unbound it for another one', async () => {
  const { serial } = await enrol(server, owner, { platform: 'olg', renews: true });
  await unbind(serial);
  const buyer = await server.register();
  const device = await session(await enrol(server, buyer, { serial, platform: 'olg', renews: true }), true);
  await listedAs(server, buyer, serial, { status: 'online' });
  expect(device.frames[0]).toMatchObject({ method: 'yunxun.bound', params: { same: false } });
  device.socket.terminate();
});

it('is listed among the refusals with a reason of its own', async () => {
  const identity = await enrol(server, owner, { platform: 'olg', renews: true });
  const device = await session(identity);
  await listedAs(server, owner, identity.serial, { status: 'online' });
  device.socket.terminate();
  await unbind(identity.serial);
  await enrol(server, owner, { platform: 'olg', renews: true });
  await statuses(identity);
  await expect
    .poll(async () => (await onboarding(server, owner)).refusals)
    .toContainEqual(expect.objectContaining({ serial: identity.serial, reason: 'unbound' }));
});
