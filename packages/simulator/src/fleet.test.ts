import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { asRecord, type State } from '@yunxun/contract/device';
import { settled, TestConsole, type TestSession } from '@yunxun/edge/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Control, startControl } from './control.ts';
import { type Fleet, type FleetOptions, startFleet } from './fleet.ts';
import { pastMoment, pastPace } from './history.ts';
import { wirelessDocument } from './testing.ts';

let testConsole: TestConsole;
let fleet: Fleet | null = null;
let control: Control | null = null;
const closers: (() => void)[] = [];

afterEach(async () => {
  fleet?.stop();
  await control?.stop();
  await testConsole.stop();
  for (const close of closers.splice(0)) close();
  fleet = null;
  control = null;
});

async function start(options: Partial<FleetOptions> = {}): Promise<Fleet> {
  testConsole = await TestConsole.start();
  fleet = await startFleet({
    consoleUrl: testConsole.url,
    bindingCode: 'CODE',
    seed: 'fleet',
    speedUp: 300,
    ...options,
  });
  await fleet.online();
  return fleet;
}

async function one(
  options: Partial<FleetOptions> = {},
): Promise<{ serial: string; session: TestSession; fleet: Fleet }> {
  const started = await start({ aps: 1, ...options });
  const [session] = testConsole.sessions;
  if (session === undefined) throw new Error('no session');
  await session.message('connect');
  return { serial: session.commonName, session, fleet: started };
}

const configure = (session: TestSession, uuid: number, names: readonly string[] = ['Corp']) =>
  session.command('configure', { uuid, config: wirelessDocument(uuid, names) });

function sameNetworks(uuid: number) {
  const { radios, metrics } = wirelessDocument(uuid);
  const ssid = (name: string, isolate: boolean, encryption: object) => ({
    encryption,
    name,
    'wifi-bands': ['2G', '5G'],
    'bss-mode': 'ap',
    'access-control-list': { mode: 'deny', 'mac-address': [] },
    'hidden-ssid': false,
    'isolate-clients': isolate,
  });
  const staff = ssid('Corp', false, { ieee80211w: 'optional', key: 'as it was before', proto: 'psk2' });
  const ethernet = [{ 'select-ports': ['WAN*'] }];
  const interfaces = [
    { name: 'WAN', role: 'upstream', ethernet, ipv4: { addressing: 'dynamic' }, ssids: [staff] },
    { name: 'VLAN20', role: 'upstream', vlan: { id: 20 }, ethernet, ssids: [ssid('Guest', true, { proto: 'none' })] },
  ];
  return { uuid, metrics, radios: (radios as object[]).map((radio) => ({ ...radio, channel: 'auto' })), interfaces };
}

it('goes on with the people of a past, whose sessions outlast equal networks from the console', async () => {
  const past = {
    kind: 'hotel' as const,
    seed: 'hotel',
    aps: 1,
    gateways: 0,
    switches: 0,
    hoursEast: 8,
    peoplePerAp: 20,
  };
  const former = [
    { name: 'Corp', key: 'as it was before', vlan: null },
    { name: 'Guest', key: null, vlan: 20 },
  ];
  const untilMs = Date.now();
  const moment = pastMoment({ ...past, ssids: former, fromMs: untilMs - 5 * 3_600_000, untilMs });
  const people = moment.people.flat();
  await start({ ...past, moment, former, pace: pastPace });
  const [session] = testConsole.sessions;
  const listed = async (after = 0) => {
    const { interfaces = [] } = (await session!.message('state', after)).params.state as State;
    return interfaces.flatMap((entry) => (entry.ssids ?? []).flatMap(({ associations = [] }) => associations));
  };
  const first = await listed();
  expect(first).toHaveLength(people.length);
  expect(first.filter(({ connected = 0 }) => connected > 600).length).toBeGreaterThan(people.length / 2);
  expect((await session!.message('connect')).params.reason).toBe('socket');
  await session!.command('configure', { uuid: 2, config: sameNetworks(2) });
  const known = new Set(first.map(({ station }) => station));
  const after = session!.messages.length;
  fleet!.report();
  const next = await listed(after);
  expect(next.filter(({ station, connected = 0 }) => known.has(station) && connected > 600).length).toBeGreaterThan(
    people.length / 2,
  );
});

describe('a fleet', () => {
  it('enrols gateways first and connects everything under SIM serials', async () => {
    const { devices } = await start({ aps: 3, gateways: 1, switches: 1 });
    expect(devices).toHaveLength(5);
    expect(testConsole.enrolments[0]).toMatchObject({ platform: 'ap', model: 'Simulated Gateway G4' });
    const serials = testConsole.sessions.map((session) => session.commonName);
    expect(new Set(serials).size).toBe(5);
    for (const serial of serials) expect(serial).toMatch(/^53494d[0-9a-f]{6}$/);
    const platforms = await Promise.all(
      testConsole.sessions.map(async (session) => {
        const { params } = await session.message('connect');
        return (params.capabilities as { platform: string }).platform;
      }),
    );
    expect(platforms.toSorted()).toEqual(['ap', 'ap', 'ap', 'ap', 'switch']);
  });

  it('cycles through the requested models, each with its capabilities', async () => {
    await start({ aps: 4, models: ['AXE5400', 'AX1800'] });
    const logged = await Promise.all(
      testConsole.sessions.map(async (session) => {
        const { params } = await session.message('connect');
        const { model, wifi } = params.capabilities as { model: string; wifi: Record<string, { band: string[] }> };
        return [model, ...Object.values(wifi).flatMap(({ band }) => band)].join(' ');
      }),
    );
    const [six, five] = ['Simulated AP AXE5400 5G 2G 6G', 'Simulated AP AX1800 5G 2G'];
    expect(logged.toSorted()).toEqual([five, five, six, six]);
  });

  it('has exactly the requested number of clients, also after the network is renamed', async () => {
    const { devices } = await start({ aps: 2, crowd: 7 });
    const [session, other] = testConsole.sessions;
    await Promise.all([session!.message('connect'), other!.message('connect')]);
    const here = () => devices.reduce((sum, { status }) => sum + status.stations, 0);
    for (const [uuid, name] of [
      [5, 'Corp'],
      [6, 'Guests'],
    ] as const) {
      for (const end of [session!, other!]) await configure(end, uuid, [name]);
      devices[0]!.box.place.advance(Date.now() + 600_000 * uuid);
      expect(here()).toBe(7);
    }
    expect(devices.every(({ status }) => status.ssids.join() === 'Guests')).toBe(true);
  });

  it('rejects when the console refuses a device', async () => {
    testConsole = await TestConsole.start({
      refusals: [{ status: 200, body: { code: 4113, message: 'no such code' } }],
    });
    const options = { consoleUrl: testConsole.url, bindingCode: 'BAD', seed: 's', aps: 1 };
    await expect(startFleet(options)).rejects.toThrow(/4113/);
  });

  it('comes back as itself from its folder, without enrolling again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const { session, serial } = await one({ folder });
    expect(await configure(session, 1000)).toMatchObject({ uuid: 1000 });
    fleet?.stop();
    const again = testConsole.session(serial);
    const options = { consoleUrl: testConsole.url, bindingCode: 'CODE', seed: 'fleet', speedUp: 300 };
    fleet = await startFleet({ ...options, aps: 1, folder });
    const back = await again;
    expect((await back.message('connect')).params).toMatchObject({ serial, uuid: 1000 });
    expect(testConsole.enrolments).toHaveLength(1);
    // it was off: clock and counters restart
    const { state } = (await back.message('state')).params as { state: { unit: { uptime: number } } };
    expect(state.unit.uptime).toBeLessThan(60);
  });

  it('that ran on has its uptime, and comes back as after a lost link', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const { serial } = await one({ folder });
    fleet?.stop();
    const file = join(folder, `${serial}.json`);
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { bootedMs: number };
    writeFileSync(file, JSON.stringify({ ...kept, bootedMs: kept.bootedMs - 7_200_000 }));
    const again = testConsole.session(serial);
    const options = { consoleUrl: testConsole.url, bindingCode: 'CODE', seed: 'fleet', speedUp: 300 };
    fleet = await startFleet({ ...options, aps: 1, folder, ranOn: true });
    const back = await again;
    expect((await back.message('connect')).params).toMatchObject({ reason: 'socket' });
    const { state } = (await back.message('state')).params as { state: { unit: { uptime: number } } };
    expect(state.unit.uptime).toBeGreaterThan(7190);
  });
});

describe('a simulated access point', () => {
  it('takes a configuration and shows it in its next state, compressed', async () => {
    const { session } = await one();
    expect(await configure(session, 1000, ['Lobby'])).toMatchObject({ uuid: 1000, status: { error: 0 } });
    const before = session.messages.length;
    const state = await session.message('state', before);
    expect(state.compressed).toBe(true);
    expect(JSON.stringify(state.params.state)).toContain('"ssid":"Lobby"');
    expect(state.params.uuid).toBe(1000);
  });

  it('reports a join at once', async () => {
    const { session } = await one();
    await configure(session, 1000, ['Lobby']);
    expect(await session.event('wifi.start')).toMatchObject({ ssid: 'Lobby' });
    expect(await session.event('client.join')).toMatchObject({ ssid: 'Lobby' });
  });

  it('refuses what its renderer refuses and keeps the old one', async () => {
    const { session } = await one();
    await configure(session, 1000);
    const reply = await session.command('configure', { uuid: 1001, config: { uuid: 1001, interfaces: [] } });
    expect(reply).toMatchObject({ uuid: 1000, status: { error: 2, text: 'Failed', rejected: [expect.any(String)] } });
  });

  it('reboots: the link drops, it returns with reason reboot and a fresh uptime', async () => {
    const { session, serial } = await one();
    await configure(session, 1000);
    const back = testConsole.session(serial);
    await session.command('reboot', { when: 0 });
    await session.until(() => session.closed);
    const again = await back;
    expect((await again.message('connect')).params).toMatchObject({ reason: 'reboot', uuid: 1000 });
    const { state } = (await again.message('state')).params as { state: { unit: { uptime: number } } };
    expect(state.unit.uptime).toBeLessThan(60);
  });

  it('upgrades to the image it was given, and fails when there is none', async () => {
    const images = await serveImages();
    const { session, serial } = await one();
    expect(await session.command('upgrade', { uri: `${images}/missing`, when: 0 })).toMatchObject({
      status: { error: 2 },
    });
    const back = testConsole.session(serial);
    const uri = `${images}/openwrt-v5.2.0-sysupgrade.bin`;
    expect(await session.command('upgrade', { uri, when: 0 })).toMatchObject({ status: { error: 0 } });
    expect((await (await back).message('connect')).params).toMatchObject({
      reason: 'upgrade',
      firmware: 'openwrt-v5.2.0',
    });
  });

  it('fails an upgrade on command: refuses the image, or returns to what it ran', async () => {
    const images = await serveImages();
    const { session, fleet: started, serial } = await one();
    const uri = `${images}/openwrt-v5.2.0-sysupgrade.bin`;
    started.device(serial).fault('fail-upgrade', { how: 'refuse' });
    expect(await session.command('upgrade', { uri, when: 0 })).toMatchObject({ status: { error: 2 } });
    const ran = started.device(serial).status.firmware;
    started.device(serial).fault('fail-upgrade', { how: 'return' });
    const back = testConsole.session(serial);
    expect(await session.command('upgrade', { uri, when: 0 })).toMatchObject({ status: { error: 0 } });
    const again = await back;
    expect((await again.message('connect')).params).toMatchObject({ reason: 'upgradefailed', firmware: ran });
    const third = testConsole.session(serial);
    expect(await again.command('upgrade', { uri, when: 0 })).toMatchObject({ status: { error: 0 } });
    expect((await (await third).message('connect')).params).toMatchObject({ firmware: 'openwrt-v5.2.0' });
  });

  it('blinks, runs scripts, scans', async () => {
    const { session, fleet: started, serial } = await one();
    await session.command('leds', { pattern: 'blink', duration: 30 });
    expect(started.device(serial).status.lights).toBe('blink');
    const script = Buffer.from('#!/bin/sh\n/usr/share/ucentral/state.uc >/dev/null\n').toString('base64');
    const before = session.messages.length;
    expect(await session.command('script', { type: 'shell', script })).toMatchObject({ status: { error: 0 } });
    await session.message('state', before);
    const other = Buffer.from('rm -rf /').toString('base64');
    expect(await session.command('script', { type: 'shell', script: other })).toMatchObject({
      status: { error: 127, result: 'sh: rm: not found\n' },
    });
    expect((await session.command('wifiscan', {})).status).toMatchObject({ scan: [{ ssid: 'CMCC-7F2A' }] });
  });

  it('pings, traces the way, and brings captures and bundles to the address that it is given', async () => {
    const { session, serial } = await one();
    const shell = async (line: string) => {
      const script = Buffer.from(`#!/bin/sh\n${line}\n`).toString('base64');
      return asRecord<{ result: string }>((await session.command('script', { type: 'shell', script })).status).result;
    };
    expect(await shell('ping -c 3 -W 2 1.1.1.1 2>&1')).toContain(
      '3 packets transmitted, 3 packets received, 0% packet loss',
    );
    expect(await shell('ping -c 2 -W 2 192.0.2.1 2>&1')).toContain('2 packets transmitted, 0 packets received');
    expect(await shell('traceroute -n -q 1 -w 2 -m 20 1.1.1.1 2>&1')).toMatch(/\n 4 {2}1\.1\.1\.1 {2}[\d.]+ ms/);
    const taken: FormData[] = [];
    const taking = createServer(async (request, response) => {
      const form = new Request('http://taking/', {
        method: 'POST',
        headers: { 'content-type': request.headers['content-type'] ?? '' },
        duplex: 'half',
        body: Readable.toWeb(request) as ReadableStream,
      } as RequestInit);
      taken.push(await form.formData());
      response.end('{}');
    });
    await new Promise<void>((ready) => taking.listen(0, '127.0.0.1', ready));
    const uri = `http://127.0.0.1:${(taking.address() as AddressInfo).port}/v1/upload/x`;
    expect((await session.command('trace', { uri, network: 'up', duration: 1 })).status).toMatchObject({ error: 0 });
    expect((await session.command('script', { type: 'diagnostic', uri })).status).toMatchObject({ error: 0 });
    taking.close();
    expect(taken.map((form) => form.get('name'))).toEqual([serial, serial]);
    const [capture, bundle] = await Promise.all(taken.map((form) => (form.get('data') as Blob).arrayBuffer()));
    expect(Buffer.from(capture!).readUInt32LE(0)).toBe(0xa1b2c3d4);
    expect(gunzipSync(Buffer.from(bundle!)).toString('latin1')).toContain(serial);
  });

  it('is gone after a factory reset that forgets the console', async () => {
    const { session, fleet: started, serial } = await one();
    await session.command('factory', { when: 0, keep_redirector: 0 });
    await session.until(() => session.closed);
    expect(started.device(serial).status).toMatchObject({ online: false, uuid: 1 });
  });
});

describe('faults on command', () => {
  it('lose the link for a while', async () => {
    const { session, serial, fleet: started } = await one();
    const back = testConsole.session(serial);
    started.device(serial).fault('lose-link', { seconds: 0.05 });
    await session.until(() => session.closed);
    expect((await (await back).message('connect')).params.reason).toBe('socket');
  });

  it('reject a good configuration, once', async () => {
    const { session, serial, fleet: started } = await one();
    started.device(serial).fault('reject-configuration');
    expect(await configure(session, 1000)).toMatchObject({ uuid: 1, status: { error: 2 } });
    expect(await configure(session, 1001)).toMatchObject({ uuid: 1001, status: { error: 0 } });
  });

  it('answer twice, keep silent, and be cleared', async () => {
    const { session, serial, fleet: started } = await one();
    const device = started.device(serial);
    device.fault('answer-twice');
    const twice = session.send('ping', {});
    await session.until(() => session.replies.filter((reply) => reply.id === twice).length === 2);
    device.fault('stay-silent');
    const silent = session.send('ping', {});
    await configureUnanswered(session);
    device.fault('clear');
    await session.command('ping', {});
    expect(session.replies.some((reply) => reply.id === silent)).toBe(false);
  });

  it('storm with reconnects, and calm down again', async () => {
    const { serial, fleet: started } = await one();
    const device = started.device(serial);
    device.fault('reconnect-storm', { times: 5, everyMs: 40 });
    // a reconnect cut during its handshake creates no session at the console
    await settled(() => testConsole.sessions.length >= 3 && device.online);
    expect((await testConsole.sessions[0]?.until(() => testConsole.sessions[0]?.closed)) ?? false).toBe(true);
  });

  it('crash: back with reason crashlog and the log of the boot before', async () => {
    const { serial, fleet: started } = await one();
    const back = testConsole.session(serial);
    started.device(serial).fault('crash');
    const again = await back;
    expect((await again.message('connect')).params.reason).toBe('crashlog');
    expect((await again.message('rebootLog')).params).toMatchObject({ type: 'crashlog', uuid: 1 });
  });

  it('fall ill: the health check says what fails', async () => {
    const { session, serial, fleet: started } = await one();
    started.device(serial).fault('unhealthy');
    const report = await session.until(() =>
      session.messages.find((message) => message.method === 'healthcheck' && message.params.sanity !== 100),
    );
    expect(report.params).toMatchObject({ sanity: 66, data: { interfaces: { up0v0: { dns: false } } } });
  });

  it('cut the power: coldboot', async () => {
    const { serial, fleet: started } = await one();
    const back = testConsole.session(serial);
    started.device(serial).fault('power-cut', { seconds: 0.05 });
    expect((await (await back).message('connect')).params.reason).toBe('coldboot');
  });
});

describe('the control endpoint', () => {
  const post = (url: string, body: unknown) => fetch(url, { method: 'POST', body: JSON.stringify(body) });

  it('lists devices and makes one fail', async () => {
    const { session, serial, fleet: started } = await one();
    control = await startControl(() => [started]);
    const list = (await (await fetch(`${control.url}/devices`)).json()) as { devices: { serial: string }[] };
    expect(list.devices).toEqual([expect.objectContaining({ serial, online: true, role: 'access-point' })]);
    const back = testConsole.session(serial);
    const done = await post(`${control.url}/devices/${serial}/fault`, { fault: 'lose-link', seconds: 0.05 });
    expect(await done.json()).toEqual({ done: 'lose-link', devices: [serial] });
    await session.until(() => session.closed);
    await back;
  });

  it('sends the given messages, and enrols a device again', async () => {
    const { session, serial, fleet: started } = await one();
    control = await startControl(() => [started]);
    await post(`${control.url}/devices/${serial}/send`, { method: 'log', params: { log: 'hello', severity: 6 } });
    expect((await session.message('log')).params).toEqual({ serial, log: 'hello', severity: 6 });
    const back = testConsole.session(serial);
    expect((await post(`${control.url}/devices/${serial}/enrol`, {})).status).toBe(200);
    await (await back).message('connect');
    expect(testConsole.enrolments).toHaveLength(2);
  });

  it.each([
    ['/devices/000000000000/fault', { fault: 'hang' }, 404],
    ['/fault', { fault: 'explode' }, 400],
    ['/fault', 'nonsense', 400],
    ['/elsewhere', { fault: 'hang' }, 404],
    ['/fault', { fault: 'clear' }, 200],
  ])('%s %o answers %d', async (path, body, status) => {
    const { fleet: started } = await one();
    control = await startControl(() => [started]);
    expect((await post(`${control.url}${path}`, body)).status).toBe(status);
  });
});

async function configureUnanswered(session: TestSession): Promise<void> {
  session.send('configure', { uuid: 5000, config: wirelessDocument(5000, ['Quiet']) });
  await session.event('wifi.start');
}

async function serveImages(): Promise<string> {
  const server: Server = createServer((request, response) => {
    response.statusCode = request.url?.endsWith('.bin') === true ? 200 : 404;
    response.end('image');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
