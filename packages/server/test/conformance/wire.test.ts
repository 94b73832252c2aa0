import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pollTimeoutMs } from '../../../../tools/poll-timeout.ts';
import { type DeviceError, DeviceOffline, type DeviceRef, DeviceTimeout } from '../../src/uplink/index.ts';
import { startTestUplink, type TestUplink } from '../../src/uplink/testing/harness.ts';
import { hold } from '../hold.ts';
import { accessPoint, endDevices, type Identity, newSerial, switchOf } from './device-client.ts';
import { type AccessPoint, accessPointCapabilities } from './peer/access-point.ts';
import type { FirmwareOptions } from './peer/firmware.ts';
import type { Json } from './peer/json.ts';
import type { Switch } from './peer/switch.ts';

/** Frames (docs/protocol.md), with dependencies in memory. */

let test: TestUplink;

beforeAll(async () => {
  test = await startTestUplink();
});
afterEach(endDevices);
afterAll(() => test.stop());

async function identify(uplink = test): Promise<Identity> {
  const { serial, key, cert } = await uplink.enrol(newSerial());
  return { serial, key, cert, ca: uplink.authority.certificate, server: 'localhost', port: uplink.uplink.port };
}

const reached = (serial: string, times = 1) =>
  expect
    .poll(() => test.calls.filter(({ what, device }) => what === 'connected' && device.serial === serial).length)
    .toBeGreaterThanOrEqual(times);

const refOf = (device: AccessPoint | Switch): DeviceRef => ({
  accountId: test.accountId,
  serial: device.options.serial,
});

async function online<T extends AccessPoint | Switch>(
  make: (identity: Identity, more?: Partial<FirmwareOptions>) => T,
  more: Partial<FirmwareOptions> = {},
): Promise<T> {
  const device = make(await identify(), more);
  await device.connect();
  await reached(device.options.serial);
  return device;
}

const config = (bytes = 0, filler = 'x'): Json => ({
  interfaces: [{ role: 'upstream', ethernet: [{ 'select-ports': ['WAN*'] }] }],
  radios: [{ band: '5G' }],
  note: filler.repeat(bytes),
});

const configure = (device: AccessPoint | Switch, document: Json, uuid: number) =>
  test.commands.configure(refOf(device), document, uuid);
const raw = (device: AccessPoint | Switch, method: string, params: Json, timeoutMs = pollTimeoutMs) =>
  test.bus.request(
    `dev.${test.accountId}.${device.options.serial}.rpc`,
    { method, params, timeoutMs },
    timeoutMs + 1000,
  );
const reportOf = (device: AccessPoint | Switch, method: string) =>
  test.calls.flatMap((entry) =>
    entry.what === 'message' && entry.device.serial === device.options.serial && entry.method === method
      ? [entry.params]
      : [],
  );

describe('configure', () => {
  it.each([5_000, 30_000])('of %d bytes goes plain, in one frame', async (bytes) => {
    const device = await online(accessPoint);
    expect(await configure(device, config(bytes), 10)).toEqual({ outcome: 'applied', rejected: [] });
    const { command, text } = device.received.find(
      (entry) => entry.command?.method === 'configure',
    ) as (typeof device.received)[0];
    expect(Buffer.byteLength(text)).toBeLessThan(32_768);
    expect(command).toMatchObject({
      jsonrpc: '2.0',
      params: { serial: device.options.serial, uuid: 10, config: { uuid: 10 } },
    });
    expect(device.flash.files.get(10)).toEqual({ ...config(bytes), uuid: 10 });
  });

  it.each([40_000, 200_000])('of %d bytes goes compressed, in one frame that fits', async (bytes) => {
    const device = await online(accessPoint);
    expect(await configure(device, config(bytes), 10)).toMatchObject({ outcome: 'applied' });
    const sent = device.received.find((entry) => entry.command?.method === 'configure');
    expect(Buffer.byteLength(sent?.text ?? '')).toBeLessThan(32_768);
    expect(sent?.command?.params).toMatchObject({ compress_64: expect.any(String), compress_sz: expect.any(Number) });
    expect(device.flash.files.get(10)).toEqual({ ...config(bytes), uuid: 10 });
  });

  it('is measured in bytes, not in characters', async () => {
    const device = await online(accessPoint);
    expect(await configure(device, config(12_000, '馆'), 10)).toMatchObject({ outcome: 'applied' });
    expect(device.logMessages).toEqual([]);
  });

  it('never reaches a device that cannot take it', async () => {
    const old = await online(accessPoint, { capabilities: { ...accessPointCapabilities, compress_cmd: undefined } });
    const dense = randomBytes(60_000).toString('base64');
    const refused = { name: 'Error', code: 'FRAME_TOO_LARGE' };
    await expect(configure(old, config(40_000), 10)).rejects.toMatchObject({ code: refused.code });
    const device = await online(accessPoint);
    await expect(configure(device, { ...config(), note: dense }, 10)).rejects.toMatchObject({ code: refused.code });
    expect([...old.received, ...device.received]).toEqual([]);
  });

  it('of any size near the limit is whole or refused, never torn', async () => {
    const old = await online(accessPoint, { capabilities: { ...accessPointCapabilities, compress_cmd: false } });
    let uuid = 10;
    const outcomes = new Set<string>();
    for (let bytes = 31_600; bytes < 33_000; bytes += 37) {
      const outcome = await configure(old, config(bytes), uuid++).then(
        ({ outcome: word }) => word,
        (error: DeviceError) => error.code,
      );
      outcomes.add(outcome);
    }
    expect([...outcomes].toSorted()).toEqual(['FRAME_TOO_LARGE', 'applied']);
    expect(old.logMessages).toEqual([]);
  });

  it('goes plain to a switch, whatever its size', async () => {
    const device = await online(switchOf);
    expect(await configure(device, config(200_000), 10)).toMatchObject({ outcome: 'applied' });
    expect(device.flash.files.get(10)).toMatchObject({ uuid: 10 });
  });

  it('with a uuid that is not higher is distinguished from an applied one', async () => {
    const device = await online(accessPoint);
    await configure(device, config(), 100);
    expect(await configure(device, config(9), 90)).toEqual({ outcome: 'stale', active: 100 });
    expect(await configure(device, config(9), 100)).toEqual({ outcome: 'applied', rejected: [] });
    expect(await configure(device, config(9), 101)).toEqual({ outcome: 'applied', rejected: [] });
  });

  it('that is rejected says why, in the words of either kind of device', async () => {
    const device = await online(accessPoint);
    const outcome = await configure(device, { ...config(), radios: [{ band: '7G' }] }, 100);
    expect(outcome).toMatchObject({
      outcome: 'rejected',
      rejected: [expect.stringMatching(/^\[E\] \(In \/radios\/0\/band\)/)],
    });
    expect(await configure(device, { ...config(), radios: [{ band: '6G' }] }, 101)).toMatchObject({
      outcome: 'applied',
      rejected: [expect.stringMatching(/^\[W\]/)],
    });
    const other = await online(switchOf, { render: () => ({ error: 2, rejected: ['no such port'] }) });
    expect(await configure(other, config(), 100)).toMatchObject({ outcome: 'rejected', text: 'no such port' });
  });

  it('without two equal uuids of 31 bits is never sent: the device would answer another number, or nothing', async () => {
    const device = await online(accessPoint);
    const { serial } = device.options;
    for (const params of [
      { uuid: 10, config: config() },
      { uuid: 10, config: { ...config(), uuid: 11 } },
      { uuid: 2 ** 31, config: { ...config(), uuid: 2 ** 31 } },
      { uuid: 10.5, config: { ...config(), uuid: 10.5 } },
      { uuid: 0, config: { ...config(), uuid: 0 } },
      { config: { ...config(), uuid: 10 } },
      { uuid: 10 },
    ]) {
      await expect(raw(device, 'configure', { serial, ...params })).rejects.toMatchObject({ code: 'BAD_COMMAND' });
    }
    expect(device.received).toEqual([]);
  });

  it('is not sent to a recovery boot, and is again once the device has left it', async () => {
    const identity = await identify();
    const stranded = accessPoint(identity, { recovery: true, bootCause: 'recovery' });
    await stranded.connect();
    await reached(identity.serial);
    await expect(configure(stranded, config(), 10)).rejects.toMatchObject({ code: 'RECOVERY_BOOT' });
    expect(stranded.received).toEqual([]);
    const back = accessPoint(identity, { bootCause: 'coldboot' });
    await back.connect();
    await reached(identity.serial, 2);
    expect(await configure(back, config(), 11)).toMatchObject({ outcome: 'applied' });
  });

  it('is sent to an unconfigured access point although its reports say uuid 0', async () => {
    const device = await online(accessPoint);
    device.notify('healthcheck', { serial: device.options.serial, uuid: 0, sanity: 100, data: {} });
    device.state({ unit: {} });
    await expect.poll(() => reportOf(device, 'state').length).toBe(1);
    expect(await configure(device, config(), 10)).toMatchObject({ outcome: 'applied' });
  });

  it('is sent to a switch although its state says uuid 0 after every start', async () => {
    const device = await online(switchOf);
    device.state({ unit: {} });
    await expect.poll(() => reportOf(device, 'state').length).toBe(1);
    expect(await configure(device, config(), 10)).toMatchObject({ outcome: 'applied' });
  });
});

describe('commands', () => {
  it('are numbered within 31 bits and answered each for itself', async () => {
    const device = await online(accessPoint);
    const calls = Array.from({ length: 20 }, () => raw(device, 'ping', {}));
    expect(await Promise.all(calls)).toHaveLength(20);
    const ids = device.received.map(({ command }) => command?.id);
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(Number.isInteger(id) && Number(id) >= 1 && Number(id) < 2 ** 31).toBe(true);
  });

  it('count the first of two answers, and ignore the second', async () => {
    const device = await online(accessPoint);
    const first = raw(device, 'package', { op: 'list', package: 'missing' });
    expect(await first).toMatchObject({ status: { error: 1, text: 'No such package.' } });
    expect(await raw(device, 'ping', {})).toMatchObject({ status: { text: 'Success', error: 0 } });
    expect(device.answered.map(({ id }) => id)).toHaveLength(3);
  });

  it('that the device does not know end in their time-out, and the next ones work', async () => {
    const device = await online(accessPoint);
    await expect(raw(device, 'powercycle', { ports: [] }, 300)).rejects.toMatchObject({ code: 'DEVICE_TIMEOUT' });
    expect(await raw(device, 'ping', {})).toMatchObject({ status: { error: 0 } });
    const other = await online(switchOf);
    expect(await raw(other, 'powercycle', { ports: [] })).toMatchObject({ status: { error: 0, text: 'Success' } });
  });

  it('that the protocol does not have are never sent', async () => {
    const device = await online(accessPoint);
    await expect(raw(device, 'format-flash', {})).rejects.toMatchObject({ code: 'BAD_COMMAND' });
    expect(device.received).toEqual([]);
  });

  it('that change the device go one at a time; others pass by', async () => {
    const busy = hold();
    const device = await online(accessPoint, { beforeApply: () => busy.held, actionMs: 60_000 });
    const order: string[] = [];
    const first = configure(device, config(1), 10).then(() => order.push('first'));
    const second = configure(device, config(2), 11).then(() => order.push('second'));
    const reboot = test.commands.reboot(refOf(device)).then(() => order.push('reboot'));
    await device.command('configure', 1);
    const ping = raw(device, 'ping', {}).then(() => order.push('ping'));
    await ping;
    expect(device.received.filter(({ command }) => command?.method === 'configure')).toHaveLength(1);
    busy.release();
    await Promise.all([first, second, reboot]);
    expect(order).toEqual(['ping', 'first', 'second', 'reboot']);
  });

  it('that wait when the connection ends are offline, and say whether they had been sent', async () => {
    const device = await online(accessPoint, { applyMs: 60_000 });
    const first = configure(device, config(1), 10);
    const second = configure(device, config(2), 11);
    const outcomes = Promise.allSettled([first, second]);
    await device.command('configure');
    device.cut();
    const [sent, waiting] = await outcomes;
    expect(sent).toMatchObject({ reason: { name: 'DeviceOffline', sent: true } });
    expect(waiting).toMatchObject({ reason: { name: 'DeviceOffline', sent: false } });
    await expect.poll(() => raw(device, 'ping', {}).catch((error: Error) => error.name)).toBe('NoResponder');
    await expect(configure(device, config(), 12)).rejects.toBeInstanceOf(DeviceOffline);
  });

  it('do not take the late answer of the session before for their own', async () => {
    const identity = await identify();
    const device = accessPoint(identity, { applyMs: 60_000 });
    await device.connect();
    await reached(identity.serial);
    const lost = configure(device, config(1), 10).catch((error: Error) => error);
    const { id } = await device.command('configure');
    device.cut();
    expect(await lost).toBeInstanceOf(DeviceOffline);
    const back = accessPoint(identity, { flash: device.flash });
    await back.connect();
    await reached(identity.serial, 2);
    const pong = raw(back, 'wifiscan', {});
    back.sendJson({
      jsonrpc: '2.0',
      id,
      result: { serial: identity.serial, uuid: 10, status: { error: 2, text: 'Failed', rejected: ['[E] late'] } },
    });
    expect(await pong).toMatchObject({ status: { error: 0 } });
  });

  it('that succeed in silence do not wait', async () => {
    const device = await online(accessPoint);
    expect(await raw(device, 'rrm', { actions: [{ action: 'kick', addr: '02:00:00:00:00:01' }] })).toEqual({});
    await device.command('rrm');
  });

  it('for a fresh report fall back to a script where the firmware has lost its service', async () => {
    const device = await online(accessPoint);
    expect(await test.commands.refresh(refOf(device), 'state')).toEqual({ by: 'script' });
    const script = await device.command('script');
    expect(Buffer.from(String(script.params?.script), 'base64').toString()).toContain('/usr/share/ucentral/state.uc');
    expect((await device.command('request')).params).toMatchObject({
      message: 'state',
      request_uuid: expect.stringMatching(/./),
    });
    expect(await test.commands.refresh(refOf(await online(switchOf)), 'state')).toEqual({ by: 'request' });
  });

  it('of every kind in this release are understood by the device', async () => {
    const device = await online(accessPoint, { actionMs: 60_000, shell: 'runs' });
    const ref = refOf(device);
    await test.commands.leds(ref, 'blink', 5);
    await test.commands.leds(ref, 'off', 0);
    expect(await test.commands.wifiscan(ref, { active: true, bands: ['2G'] })).toMatchObject([{ ssid: 'Neighbour' }]);
    device.remember('event', { type: 'client.join' });
    expect(await test.commands.event(ref, ['event'])).toMatchObject({
      event: [[expect.any(Number), { type: 'client.join' }]],
    });
    expect(await test.commands.script(ref, 'shell', 'echo hello')).toEqual({ exitCode: 0, output: 'echo hello' });
    await test.commands.upgrade(ref, { uri: 'https://console.example.com/image.bin' });
    await test.commands.factory(ref, true);
    await test.commands.reboot(ref);
    expect(device.logMessages).toEqual([]);
    for (const { command } of device.received) expect(command?.params).toMatchObject({ serial: device.options.serial });
  });

  it('for telemetry are taken back in time: the device does not stop by itself', async () => {
    const device = await online(accessPoint);
    await test.commands.telemetry(refOf(device), 1, ['event'], 0.2);
    const stop = await device.command('telemetry', 2);
    expect(stop.params).toMatchObject({ interval: 0 });
  });

  it('time out after the requested time', async () => {
    const device = await online(accessPoint, { applyMs: 60_000 });
    const document = { ...config(), uuid: 10 };
    const call = test.commands.call(refOf(device), 'configure', { uuid: 10, config: document }, { timeoutMs: 200 });
    await expect(call).rejects.toBeInstanceOf(DeviceTimeout);
  });
});

describe('messages', () => {
  it('with bytes that are not UTF-8 are read: neighbours name their networks in GBK', async () => {
    const device = await online(accessPoint);
    const text = JSON.stringify({
      jsonrpc: '2.0',
      method: 'wifiscan',
      params: { serial: device.options.serial, uuid: 1, data: [{ bssid: '02:00:00:00:00:01', ssid: '@' }] },
    });
    const [before = '', after = ''] = text.split('@');
    const gbk = Buffer.from([0xbf, 0xa7, 0xb7, 0xc8, 0xb9, 0xdd]);
    device.socket?.sendFrame(Buffer.concat([Buffer.from(before), gbk, Buffer.from(after)]));
    await expect.poll(() => reportOf(device, 'wifiscan')).toMatchObject([{ data: [{ bssid: '02:00:00:00:00:01' }] }]);
    expect(device.socket).not.toBeNull();
  });

  it('keep passwords out of other calls', async () => {
    const device = await online(accessPoint);
    const { serial } = device.options;
    device.notify('deviceupdate', { serial, currentPassword: 'correct horse' });
    await expect.poll(() => test.passwords.get(serial)).toBe('correct horse');
    expect(JSON.stringify(test.calls)).not.toContain('correct horse');
  });

  it('are equal compressed and uncompressed', async () => {
    const device = await online(accessPoint);
    const state = { unit: { uptime: 7 }, note: 'y'.repeat(5000) };
    device.state(state);
    device.state({ unit: { uptime: 8 } });
    await expect
      .poll(() => reportOf(device, 'state').map((params) => params.state))
      .toEqual([state, { unit: { uptime: 8 } }]);
  });

  it('come in the order of the wire, events kept while offline right after the connect', async () => {
    const device = accessPoint(await identify());
    for (let at = 0; at < 50; at += 1) device.event('client.join', { at });
    await device.connect();
    await expect.poll(() => reportOf(device, 'event').length).toBe(50);
    const numbers = reportOf(device, 'event').map(
      (params) => ((params.data as Json).event as [number, Json])[1].payload,
    );
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => ({ at })));
    const first = test.calls.find((entry) => entry.device.serial === device.options.serial);
    expect(first?.what).toBe('connected');
  });

  it('to the venue reach the neighbours, and not their sender', async () => {
    const venue: string[] = [];
    const other = await startTestUplink({ handlers: { neighbours: async () => venue } });
    const pair = [accessPoint(await identify(other)), accessPoint(await identify(other))] as const;
    venue.push(...pair.map((device) => device.options.serial));
    for (const device of pair) await device.connect();
    await expect.poll(() => other.calls.filter(({ what }) => what === 'connected').length).toBe(2);
    pair[0].notify('venue_broadcast', { serial: pair[0].options.serial, timestamp: 1, data: { roam: true } });
    expect((await pair[1].command('venue_broadcast')).params).toMatchObject({ data: { roam: true } });
    expect(pair[0].received).toEqual([]);
    await Promise.all(pair.map((device) => device.cut()));
    await other.stop();
  });
});
