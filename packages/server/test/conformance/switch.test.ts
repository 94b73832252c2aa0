import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { endDevices, enrol, listedAs, newSerial } from './device-client.ts';
import type { Json } from './peer/json.ts';
import { switchReport } from './peer/switch-report.ts';
import { camera, configures, ethernet, mac, running, switchFixture, usual, vlansOf, wiring } from './switch-fixture.ts';

let server: TestServer;
let owner: Registered;
const fixture = switchFixture(() => ({ server, owner }));
const { call, portsOf } = fixture;
const switched = async (name: string) => fixture.silent(await fixture.network(name));
const settled = async (name: string) => fixture.settled(await fixture.network(name));

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

describe('the first document of a switch', () => {
  it('waits for the report, and keeps the speed of every port', async () => {
    const { device, identity, gwid } = await switched('First');
    const saved = await call<{ job_id: string }>('/api/v3/network/wireless/save', {
      gwid,
      version: 1,
      radios: [],
      ssids: [],
    });
    const job = () => call<{ items: Json[] }>('/api/v3/job/detail', { job_id: saved.data.job_id });
    await expect
      .poll(async () => (await job()).data.items)
      .toMatchObject([{ serial: identity.serial, status: 'waiting_offline', reason: 'job.unreported' }]);
    expect(configures(device)).toEqual([]);
    device.state(switchReport(wiring()));
    await expect.poll(() => running(device)).toBeDefined();
    const ports = ethernet(running(device));
    expect(Object.fromEntries(Object.entries(ports).map(([port, { speed }]) => [port, speed]))).toEqual({
      Ethernet0: 1000,
      Ethernet1: 100,
      Ethernet2: 1000,
      Ethernet48: 10_000,
    });
    expect(ports.Ethernet48).not.toHaveProperty('poe');
    expect(configures(device)).toHaveLength(1);
    await expect.poll(async () => (await job()).data.items).toMatchObject([{ status: 'applied' }]);
  });

  it('is not sent again because a port comes up at another speed', async () => {
    const { device, identity } = await settled('Stays');
    device.state(switchReport({ ...wiring(), Ethernet0: { speed: 10, milliwatts: 0 } }, 1060));
    await expect.poll(async () => (await portsOf(identity.serial)).ports[0]?.speed).toBe(10);
    await device.cut();
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    device.health(77);
    await listedAs(server, owner, identity.serial, { sanity: 77 });
    expect(configures(device)).toEqual([]);
  });
});

describe('the ports of a switch', () => {
  it('are shown with link, power, VLANs, neighbour, devices and rates', async () => {
    const { device, identity } = await settled('Screen');
    const later = wiring();
    later.Ethernet1 = { ...later.Ethernet1!, rx: 3_000_000, tx: 9_000_000 };
    device.state(switchReport(later, 1060));
    await expect.poll(async () => (await portsOf(identity.serial)).ports[1]?.rates?.rx ?? 0).toBeGreaterThan(0);
    const answer = await portsOf(identity.serial);
    expect(answer).toMatchObject({ vlans: [20], poe: { budget: 370, consumed: 12 }, version: 0 });
    expect(answer.ports.map(({ port, up, uplink }) => [port, up, uplink])).toEqual([
      ['Ethernet0', true, false],
      ['Ethernet1', true, false],
      ['Ethernet2', false, false],
      ['Ethernet48', true, true],
    ]);
    expect(answer.ports[1]).toMatchObject({
      speed: 100,
      duplex: 'full',
      vlan: 1,
      tagged: [20],
      client_total: 1,
      cycle_gate: null,
      poe: { status: 'delivering-power', fault: null, class: 4, watts: 6.4 },
      neighbours: [{ name: 'Camera', mac: mac(camera), port: 'eth0' }],
      clients: [{ mac: mac(camera), vlan: 1 }],
      counters: { rx_bytes: 3_000_000, tx_bytes: 9_000_000, rx_errors: 0 },
    });
    expect(answer.ports[3]).toMatchObject({ poe: null, cycle_gate: 'no_poe' });
  });

  it('are set with a preview, brought there, and set back from the log', async () => {
    const { device, identity } = await settled('Set');
    const { serial } = identity;
    const ports = [{ ...usual('Ethernet1'), label: 'Camera', vlan: 30, tagged: [] }];
    const preview = await call<{ totals: Json; devices: Json[] }>('/api/v3/switch/port/preview', { serial, ports });
    expect(preview.data.totals).toMatchObject({ changed: 1, wrong: 0 });
    const saved = await call<{ version: number }>('/api/v3/switch/port/save', { serial, version: 0, ports });
    expect(saved).toMatchObject({ code: 2000, data: { version: 1 } });
    const vlans = () => vlansOf(device);
    await expect.poll(vlans).toEqual([
      [1, 'un-tagged Ethernet0 Ethernet2 Ethernet48'],
      [20, 'tagged Ethernet0 Ethernet2 Ethernet48'],
      [30, 'un-tagged Ethernet1'],
    ]);
    expect((await portsOf(serial)).ports[1]).toMatchObject({ label: 'Camera', vlan: 30, tagged: [] });
    const log = await call<{ list: { seq: number; action: string; undoable: boolean }[] }>(
      '/api/v3/log/action/list',
      {},
    );
    expect(log.data.list[0]).toMatchObject({ action: 'device.ports.save', undoable: true });
    const undone = await call('/api/v3/log/action/undo', { seq: log.data.list[0]?.seq });
    expect(undone.code).toBe(2000);
    await expect.poll(() => vlans().map(([id]) => id)).toEqual([1, 20]);
  });

  it('refuse what would cut the switch off', async () => {
    const { identity, device } = await settled('Uplink');
    const { serial } = identity;
    const ports = [{ ...usual('Ethernet48'), enabled: false }];
    const preview = await call<{ totals: Json }>('/api/v3/switch/port/preview', { serial, ports });
    expect(preview.data.totals).toMatchObject({ wrong: 1 });
    expect(await call('/api/v3/switch/port/save', { serial, version: 0, ports })).toMatchObject({
      code: 4114,
      data: { findings: [{ code: 'port_is_uplink', params: { port: 'Ethernet48' } }] },
    });
    expect(configures(device)).toHaveLength(1);
  });

  it('lose their power once and have it again: the document that says so is followed by one that does not', async () => {
    const { device, identity } = await settled('Cycle');
    const { serial } = identity;
    const asked = await call<{ job_id: string }>('/api/v3/switch/port/cycle', { serial, port: 'Ethernet1' });
    expect(asked.code).toBe(2000);
    const resets = () => configures(device).map((document) => (ethernet(document).Ethernet1!.poe as Json)['do-reset']);
    await expect.poll(resets).toEqual([undefined, true, undefined]);
    const job = await call('/api/v3/job/detail', { job_id: asked.data.job_id });
    expect(job.data).toMatchObject({ type: 'configuration', cause: 'port_cycled', about: expect.any(String) });
    expect(await call('/api/v3/switch/port/cycle', { serial, port: 'Ethernet48' })).toMatchObject({
      code: 4114,
      data: { reason: 'no_poe' },
    });
    const { cycled_at: at } = (await portsOf(serial)).ports[1]!;
    expect(Date.now() - Date.parse(at!)).toBeLessThan(60_000);
    await device.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
    expect(await call('/api/v3/switch/port/cycle', { serial, port: 'Ethernet1' })).toMatchObject({ code: 4102 });
  });

  it('never lose the power of an uplink', async () => {
    const powered = wiring();
    powered.Ethernet48 = { ...powered.Ethernet48!, milliwatts: 0 };
    const { device, identity } = await fixture.settled(await fixture.network('Powered'), powered);
    const { serial } = identity;
    expect((await portsOf(serial)).ports[3]).toMatchObject({ uplink: true, cycle_gate: 'uplink' });
    expect(await call('/api/v3/switch/port/cycle', { serial, port: 'Ethernet48' })).toMatchObject({
      code: 4114,
      data: { reason: 'uplink' },
    });
    expect(configures(device)).toHaveLength(1);
  });

  it('are found by the MAC address of what hangs on them', async () => {
    const { identity, gwid } = await settled('Find');
    const find = (address: string) => call<{ found: Json | null }>('/api/v3/switch/port/find', { gwid, mac: address });
    expect((await find(camera)).data.found).toMatchObject({
      serial: identity.serial,
      status: 'online',
      port: { port: 'Ethernet1', cycle_gate: null, neighbours: [{ name: 'Camera' }] },
    });
    expect((await find('02cafe0000aa')).data.found).toBeNull();
  });

  it('are those of a switch only', async () => {
    const { gwid } = await switched('Mixed');
    const { serial } = await enrol(server, owner, { gwid, serial: newSerial(), platform: 'ap' });
    expect(await call('/api/v3/switch/port/list', { serial })).toMatchObject({
      code: 4114,
      data: { reason: 'not_switch' },
    });
  });
});
