import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { asRecord } from '@yunxun/contract/device';
import { describe, expect, it } from 'vitest';
import { configure, fleetFixture } from './fleet-fixture.ts';

const fixture = fleetFixture();
const { one } = fixture;

describe('a simulated gateway', () => {
  it('has results of declared peripheral devices in a report of its own', async () => {
    const { session } = await one({ aps: 0, edges: 1, speedUp: 1 });
    const before = session.messages.length;
    const targets = [{ id: 'a', address: '192.168.1.64', port: 80 }];
    await session.command('yunxun.tool', { tool: 'watch', revision: 'r1', targets });
    const { params } = await session.message('state', before);
    expect(params).toMatchObject({
      state: { yunxun: { watch: { revision: 'r1', targets: [{ id: 'a', alive: true }] } } },
    });
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
    const back = fixture.console.session(serial);
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
    const back = fixture.console.session(serial);
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
    const back = fixture.console.session(serial);
    expect(await session.command('upgrade', { uri, when: 0 })).toMatchObject({ status: { error: 0 } });
    const again = await back;
    expect((await again.message('connect')).params).toMatchObject({ reason: 'upgradefailed', firmware: ran });
    const third = fixture.console.session(serial);
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

async function serveImages(): Promise<string> {
  const server: Server = createServer((request, response) => {
    response.statusCode = request.url?.endsWith('.bin') === true ? 200 : 404;
    response.end('image');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  fixture.onEnd(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
