import type { DataOf, LiveFact, Permission, users } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { host } from '../seed.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, listedAs } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

const network = async (owner: Registered, remark: string) =>
  (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner)).data.gwid;

async function listen(person: Registered, account = person.accountId): Promise<{ gwids: string[]; close(): void }> {
  const ended = new AbortController();
  const response = await fetch(`${server.url}/api/v3/live`, {
    headers: { authorization: `Bearer ${person.token}`, account },
    signal: ended.signal,
  });
  expect(response.status).toBe(200);
  const gwids: string[] = [];
  void (async () => {
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + part).split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        if (!event.startsWith('data: ')) continue;
        const fact = JSON.parse(event.slice('data: '.length)) as LiveFact;
        if (fact.type === 'clients') gwids.push(fact.gwid);
      }
    }
  })().catch(() => undefined);
  return { gwids, close: () => ended.abort() };
}

async function online(owner: Registered, gwid: string): Promise<AccessPoint> {
  const identity = await enrol(server, owner, { gwid });
  const device = accessPoint(identity, { capabilities: { platform: 'ap', model: 'EAP102' } });
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return device;
}

let uptime = 1000;
function report(device: AccessPoint, macs: readonly string[], captive: object = {}): void {
  uptime += 1;
  const associations = macs.map((station) => ({ station, connected: 30, rssi: -60 }));
  const ssid = { ssid: 'House', bssid: device.options.serial, band: ['5G'], associations };
  device.state({ unit: { uptime }, interfaces: [{ name: 'up0v0', ssids: [ssid] }], captive });
}

const client = (n: number) => (0x3c22fb000000 + n).toString(16);

it('notifies the network once of many clients, after they are in its list', async () => {
  const owner = await server.register();
  const gwid = await network(owner, 'Storm');
  const device = await online(owner, gwid);
  const { gwids, close } = await listen(owner);
  report(
    device,
    Array.from({ length: 200 }, (_, n) => client(n)),
  );
  await expect.poll(() => gwids).toEqual([gwid]);
  const { data } = await server.call<DataOf<typeof users.list>>('/api/v3/user_online/list', { gwid }, owner);
  expect(data.total).toBe(200);
  report(
    device,
    Array.from({ length: 200 }, (_, n) => client(n)),
  );
  report(device, [client(0)], { [client(0)]: { status: 'Authenticated' } });
  await expect.poll(() => gwids).toEqual([gwid, gwid]);
  report(device, [client(0)]);
  await expect.poll(() => gwids).toEqual([gwid, gwid, gwid]);
  close();
});

it('reports a join and a leave between two reports', async () => {
  const owner = await server.register();
  const gwid = await network(owner, 'Events');
  const device = await online(owner, gwid);
  const { gwids, close } = await listen(owner);
  report(device, [client(1)]);
  await expect.poll(() => gwids.length).toBe(1);
  const place = { bssid: device.options.serial, ssid: 'House', band: '5G' };
  device.event('client.join', { client: client(2), ...place });
  await expect.poll(() => gwids.length).toBe(2);
  device.event('client.leave', { client: client(2), ...place, connected_time: 1, tx_bytes: 1, rx_bytes: 1 });
  await expect.poll(() => gwids.length).toBe(3);
  close();
});

it('reaches only members who may see the clients of that network', async () => {
  const owner = await server.register();
  const [seen, other] = [await network(owner, 'Seen'), await network(owner, 'Other')];
  const guest = async (permissions: Permission[]) => {
    const person = await server.register();
    await host(server, owner.accountId, person.accountId, permissions, [seen]);
    return listen(person, owner.accountId);
  };
  const [limited, without] = [await guest(['network.read', 'user.read']), await guest(['network.read'])];
  const all = await listen(owner);
  report(await online(owner, other), [client(3)]);
  report(await online(owner, seen), [client(4)]);
  await expect.poll(() => all.gwids.toSorted()).toEqual([seen, other].toSorted());
  await expect.poll(() => limited.gwids).toEqual([seen]);
  expect(without.gwids).toEqual([]);
  for (const { close } of [all, limited, without]) close();
});
