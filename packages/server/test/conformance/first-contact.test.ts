import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import {
  boxedAccessPoint,
  endDevices,
  enrol,
  type Identity,
  listed,
  listedAs,
  newSerial,
  switchOf,
} from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';
import { type FirmwareOptions, isTable } from './peer/firmware.ts';
import { DeviceFlash } from './peer/flash.ts';
import type { Json } from './peer/json.ts';
import { factoryDocument } from './peer/stock.ts';

/** Management begins without the ten-minute report and without guesses. */

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

const clerk = { mac: '3c:22:fb:00:00:01', address: '192.168.1.23' };

interface Config {
  state: string | null;
  awaits_report: boolean;
  first_contact: { outcome: string; reason: string | null; lan: string | null } | null;
}

const ask = async <T>(path: string, body: Json): Promise<T> => {
  const answer = await server.call<T>(`/api/v3/${path}`, body, owner);
  expect(answer).toMatchObject({ code: 2000 });
  return answer.data;
};
const configOf = (serial: string) => ask<Config>('device/config/get', { serial });
const versionsOf = async (serial: string) =>
  (await ask<{ list: { cause: string; outcome: string }[] }>('device/config/versions', { serial, limit: 50 })).list;
const becomes = (serial: string, wanted: object) => expect.poll(() => configOf(serial)).toMatchObject(wanted);
const jobOf = (id: string) =>
  ask<{ status: string; items: { status: string; reason: string | null }[] }>('job/detail', { job_id: id });
const ends = (id: string, wanted: object) => expect.poll(() => jobOf(id)).toMatchObject(wanted);

async function box(name: string, more: Partial<FirmwareOptions> = {}): Promise<{ peer: AccessPoint; gwid: string }> {
  const { gwid } = await ask<{ gwid: string }>('network/create', { remark: name });
  const peer = boxedAccessPoint(await enrol(server, owner, { gwid }), more);
  peer.behind = [clerk];
  return { peer, gwid };
}

async function saveWifi(gwid: string): Promise<string> {
  const lobby = { enabled: true, name: 'Lobby', security: 'psk2', key: 'welcome-2026', bands: ['2G', '5G'] };
  const rest = { vlan: null, hidden: false, isolate: false, maximum_clients: null, down_mbps: null, up_mbps: null };
  const body = { gwid, version: 0, ssids: [{ ...lobby, ...rest }], radios: [] };
  return (await ask<{ job_id: string }>('network/wireless/save', body)).job_id;
}

const interfaces = (document: Json) => document.interfaces as Json[];
const lanOf = (peer: AccessPoint) => interfaces(peer.running).find(({ role }) => role === 'downstream');
const wanPorts = (peer: AccessPoint) =>
  interfaces(peer.running)
    .filter(({ role }) => role === 'upstream')
    .flatMap(({ ethernet }) => (ethernet as Json[]).flatMap((ports) => ports['select-ports'] as string[]));
const ssidsOn = (peer: AccessPoint, role: string) =>
  interfaces(peer.running)
    .filter((entry) => entry.role === role)
    .flatMap(({ ssids }) => (Array.isArray(ssids) ? ssids.filter(isTable).map(({ name }) => name) : []));
/** It routes and serves DHCP: LAN ports are not part of the WAN. */
const keepsLan = (peer: AccessPoint) => {
  expect(wanPorts(peer)).not.toContain('LAN*');
  expect(lanOf(peer)).toMatchObject({
    ethernet: [{ 'select-ports': ['LAN*'] }],
    ipv4: { subnet: '192.168.1.1/24', dhcp: { 'lease-first': 10 } },
  });
};
const scripts = (peer: AccessPoint) => peer.received.filter(({ command }) => command?.method === 'script').length;

describe('an access point from its box', () => {
  it('is asked for its state, gets one first document and then reports its clients', async () => {
    const { peer } = await box('Stock');
    const { serial } = peer.options;
    await peer.connect();
    await listedAs(server, owner, serial, { status: 'online' });
    await becomes(serial, { state: 'in_sync', first_contact: { outcome: 'sent', lan: '192.168.1.1/24' } });
    const { metrics, uuid, ...rest } = peer.running;
    const { uuid: _uuid, ...factory } = factoryDocument;
    expect(rest).toEqual(factory);
    expect(uuid).toBeGreaterThan(1);
    expect(metrics).toMatchObject({
      statistics: { interval: 60, types: ['ssids', 'lldp', 'clients'] },
      health: { interval: 60 },
      realtime: { types: expect.arrayContaining(['client', 'wired']) },
    });
    await expect.poll(async () => (await listed(server, owner, serial))?.online_user).toBe(1);
    const clients = await ask<{ list: { mac: string }[] }>('user_online/list', { serial });
    expect(clients.list).toMatchObject([{ mac: clerk.mac.replaceAll(':', '') }]);
    // no report came by its own clock: the first would have been due 600 s after the start
    expect(peer.reportsByClock).toBe(0);
    expect(scripts(peer)).toBeGreaterThan(0);
    expect(await versionsOf(serial)).toMatchObject([{ cause: 'first_contact', outcome: 'applied' }]);
    const jobs = (more: Json) => ask<{ list: { operator: string }[]; total: number }>('job/list', more);
    await expect.poll(async () => (await jobs({ open: true })).total).toBe(0);
    expect((await jobs({})).list).toMatchObject([{ operator: 'system', status: 'succeeded' }]);
    expect((await jobs({ automatic: false })).total).toBe(0);
  });

  it('gets nothing more when it comes again', async () => {
    const { peer } = await box('Again');
    const { serial } = peer.options;
    await peer.connect();
    await becomes(serial, { state: 'in_sync' });
    await peer.cut();
    await peer.connect();
    peer.notify('healthcheck', { serial, uuid: peer.uuidActive, sanity: 61, data: {} });
    await listedAs(server, owner, serial, { sanity: 61 });
    expect(peer.received.filter(({ command }) => command?.method === 'configure')).toEqual([]);
    expect(await versionsOf(serial)).toHaveLength(1);
  });

  it('keeps its LAN when Wi-Fi is saved the moment it is bound, and routes its Wi-Fi for those behind it', async () => {
    const { peer, gwid } = await box('At-once');
    const { serial } = peer.options;
    await peer.connect();
    const job = await saveWifi(gwid);
    await ends(job, { status: 'succeeded', items: [{ status: 'applied' }] });
    keepsLan(peer);
    expect(ssidsOn(peer, 'downstream')).toEqual(['Lobby']);
    const causes = (await versionsOf(serial)).map(({ cause }) => cause);
    expect(causes.filter((cause) => cause === 'first_contact')).toHaveLength(1);
  });

  it('keeps its LAN without clients, while its Wi-Fi joins the network', async () => {
    const { peer, gwid } = await box('Nobody-behind');
    peer.behind = [];
    await peer.connect();
    await ends(await saveWifi(gwid), { status: 'succeeded', items: [{ status: 'applied' }] });
    keepsLan(peer);
    expect(ssidsOn(peer, 'upstream')).toEqual(['Lobby']);
    peer.behind = [clerk];
    peer.reportState(1);
    await expect.poll(async () => (await listed(server, owner, peer.options.serial))?.online_user).toBe(1);
    expect(ssidsOn(peer, 'upstream')).toEqual(['Lobby']);
    await ask('network/first_contact/save', { gwid, left_alone: false, bridge_lan: true });
    await expect.poll(() => lanOf(peer)).toBeUndefined();
    expect(wanPorts(peer)).toContain('LAN*');
  });

  it('gets its document rebuilt from its state where its files cannot be read', async () => {
    const { peer } = await box('Hidden', { hidesFiles: true });
    await peer.connect();
    await becomes(peer.options.serial, { state: 'in_sync', first_contact: { outcome: 'sent' } });
    keepsLan(peer);
    expect(peer.running.metrics).toMatchObject({ statistics: { interval: 60 } });
  });

  it('keeps a document of another console with all that is in it, keys included', async () => {
    const flash = new DeviceFlash();
    const foreign = {
      uuid: 1_700_000_000,
      interfaces: [
        {
          ...interfaces(factoryDocument as Json)[0],
          ssids: [{ name: 'Old', encryption: { proto: 'psk2', key: 'k' } }],
        },
        { ...interfaces(factoryDocument as Json)[1], ipv4: { addressing: 'static', subnet: '10.7.0.1/24' } },
      ],
      'config-raw': [['set', 'x', 'y']],
    };
    flash.store(foreign.uuid, foreign);
    flash.active = foreign.uuid;
    const { peer } = await box('Foreign', { flash });
    await peer.connect();
    await becomes(peer.options.serial, { state: 'in_sync', first_contact: { lan: '10.7.0.1/24' } });
    const { metrics: _metrics, uuid, ...rest } = peer.running;
    expect({ ...rest, uuid: foreign.uuid }).toEqual(foreign);
    expect(uuid).toBeGreaterThan(foreign.uuid);
  });
});

describe('a device that nothing is certain of', () => {
  const foreignFlash = () => {
    const flash = new DeviceFlash();
    flash.store(1_700_000_000, { ...factoryDocument, uuid: 1_700_000_000 });
    flash.active = 1_700_000_000;
    return flash;
  };

  it('is left alone, says why, and its reports are fetched every two minutes', async () => {
    const { gwid } = await ask<{ gwid: string }>('network/create', { remark: 'Uncertain' });
    // polled in even and odd minutes
    const peers = await Promise.all(
      ['0', '1'].map(async (digit) => {
        const serial = `${newSerial().slice(0, -1)}${digit}`;
        const identity = await enrol(server, owner, { gwid, serial });
        return boxedAccessPoint(identity, { hidesFiles: true, flash: foreignFlash() });
      }),
    );
    for (const peer of peers) {
      await peer.connect();
      const left = { outcome: 'left', reason: 'unreadable' };
      await becomes(peer.options.serial, { state: null, first_contact: left });
      expect(peer.received.filter(({ command }) => command?.method === 'configure')).toEqual([]);
    }
    const asked = () => peers.reduce((sum, peer) => sum + scripts(peer), 0);
    const before = asked();
    await server.db.database.systemPool.query(
      `select job_queue.add('configuration-fetch-reports', '{}'::json, null, null, null)`,
    );
    // the schedule may run meanwhile
    await expect.poll(asked).toBeGreaterThan(before);
  });

  it('is configured by what is saved, its LAN included, once it has reported', async () => {
    const { peer, gwid } = await box('Uncertain-saved', { hidesFiles: true, flash: foreignFlash() });
    await peer.connect();
    await becomes(peer.options.serial, { first_contact: { outcome: 'left' } });
    await ends(await saveWifi(gwid), { status: 'succeeded', items: [{ status: 'applied' }] });
    keepsLan(peer);
  });

  it('waits with what is saved while it does not report, and goes on when it does', async () => {
    const { peer, gwid } = await box('Silent', { shell: 'nothing' });
    const { serial } = peer.options;
    await peer.connect();
    await listedAs(server, owner, serial, { status: 'online' });
    const lobby = { gwid, ssids: [], radios: [] };
    expect(await ask('network/wireless/preview', lobby)).toMatchObject({
      devices: [{ effect: 'waiting', changes: [] }],
    });
    const job = await saveWifi(gwid);
    await ends(job, { status: 'waiting_offline', items: [{ status: 'waiting_offline', reason: 'job.unreported' }] });
    expect(await configOf(serial)).toMatchObject({ awaits_report: true });
    expect(scripts(peer)).toBeGreaterThan(0);
    peer.reportState();
    await becomes(serial, { state: 'in_sync' });
    peer.reportState();
    await ends(job, { status: 'succeeded', items: [{ status: 'applied' }] });
    keepsLan(peer);
  });

  it('gets no first document in a network that leaves its devices alone, until that is switched off', async () => {
    const { peer, gwid } = await box('Left-alone');
    const { serial } = peer.options;
    await ask('network/first_contact/save', { gwid, left_alone: true, bridge_lan: false });
    await peer.connect();
    await becomes(serial, { state: null, first_contact: { outcome: 'left', reason: 'left_alone' } });
    expect(peer.uuidActive).toBe(1);
    await ask('network/first_contact/save', { gwid, left_alone: false, bridge_lan: false });
    await becomes(serial, { state: 'in_sync', first_contact: { outcome: 'sent', reason: null } });
  });

  it('is a switch: it is asked by request, and what it runs stays', async () => {
    const { gwid } = await ask<{ gwid: string }>('network/create', { remark: 'Switch' });
    const identity: Identity = await enrol(server, owner, { gwid });
    const device = switchOf(identity);
    await device.connect();
    await device.command('request');
    device.state({ unit: { uptime: 5 } });
    await becomes(identity.serial, { state: null, first_contact: { outcome: 'left', reason: 'switch' } });
    expect(device.received.filter(({ command }) => command?.method === 'configure')).toEqual([]);
  });
});
