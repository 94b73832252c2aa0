import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentFirmware, switchFirmware } from './firmware.ts';
import { type Rig, settled, startRig, type TestSession } from './testing/index.ts';

let rig: Rig;
let session: TestSession;
const serial = '53494d000001';

async function connect(options: Parameters<typeof startRig>[0] = {}): Promise<void> {
  rig = await startRig(options);
  session = await rig.connected();
}
afterEach(() => rig.stop());

const inBase64 = (text: string) => Buffer.from(text).toString('base64');

describe('commands of an access point', () => {
  beforeEach(() => connect());

  it('answers ping with serial and active uuid', async () => {
    expect(await session.command('ping', {})).toEqual({ serial, uuid: 1 });
  });

  it('answers ping also with what it took back, where it tries configurations out', async () => {
    Object.assign(rig.system, { returnedUuid: () => 77 });
    expect(await session.command('ping', {})).toEqual({ serial, uuid: 1, returned: 77 });
  });

  it('answers a reboot at once and goes down 20 s later', async () => {
    expect(await session.command('reboot', { when: 0 })).toMatchObject({
      status: { error: 0, text: 'triggered command action' },
    });
    expect(rig.system.restarts).toEqual([]);
    rig.clock.advance(20_000);
    expect(rig.system.restarts).toEqual(['reboot']);
  });

  it('restarts after an upgrade, keeps or drops the identity at a factory reset', async () => {
    expect(await session.command('upgrade', { uri: 'http://x/fw', when: 0 })).toMatchObject({ status: { error: 0 } });
    rig.clock.advance(20_000);
    expect(rig.system.restarts).toEqual(['upgrade']);
    await session.command('factory', { when: 0, keep_redirector: 1 });
    rig.clock.advance(20_000);
    expect(rig.system.calls).toContain('factory true');
  });

  it('runs a script; the state collector pushes a fresh state', async () => {
    expect(await session.command('script', { type: 'shell', script: inBase64('uptime'), timeout: 5 })).toMatchObject({
      status: { error: 0, result: 'ran uptime' },
    });
    await session.command('script', { type: 'shell', script: inBase64('#!/bin/sh\n/usr/share/ucentral/state.uc') });
    expect((await session.message('state')).params).toMatchObject({ serial });
  });

  it('cannot serve request: the service it would restart is gone', async () => {
    expect(await session.command('request', { message: 'state', request_uuid: 'r1', when: 0 })).toMatchObject({
      status: { error: 1, text: 'failed to execute ustats' },
    });
  });

  it('keeps silent to what it does not know, and to rrm', async () => {
    const unknown = session.send('cablediagnostics', {});
    const nonsense = session.send('nonsense', {});
    const rrm = session.send('rrm', { actions: [] });
    await session.command('ping', {});
    const answered = session.replies.map((reply) => reply.id);
    for (const id of [unknown, nonsense, rrm]) expect(answered).not.toContain(id);
  });

  it('answers twice for a missing package', async () => {
    const id = session.send('package', { op: 'list', packages: [{ name: 'missing' }] });
    await session.until(() => session.replies.filter((reply) => reply.id === id).length === 2);
  });

  it.each([
    ['leds', { pattern: 'disco' }],
    ['script', {}],
    ['upgrade', {}],
    ['telemetry', { types: ['event'] }],
    ['request', { message: 'state' }],
  ])('refuses %s with wrong parameters', async (method, params) => {
    expect(await session.command(method, params)).toMatchObject({ status: { error: 2 } });
  });

  it('empties its ring of events on command', async () => {
    rig.system.listener?.event(77, 'client.join', { client: 'a' });
    rig.system.listener?.event(78, 'wired.carrier-up', { name: 'WAN' });
    expect((await session.command('event', { types: ['client'] })).events).toEqual({
      'client.join': [[77, { client: 'a' }]],
    });
    expect((await session.command('event', { types: ['client'] })).events).toEqual({});
  });

  it('streams telemetry until it gets the stop command, also when empty', async () => {
    await session.command('event', { types: [] });
    await session.command('telemetry', { interval: 5, types: ['event'] });
    rig.clock.advance(5_000);
    expect((await session.message('telemetry')).params).toEqual({ serial, data: {} });
    await session.command('telemetry', { interval: 0, types: [] });
    const before = session.messages.length;
    rig.clock.advance(20_000);
    await session.command('ping', {});
    expect(session.messages.slice(before)).toEqual([]);
  });

  it.each([1e-9, 0.5, -1, 1e12])('refuses telemetry every %s seconds', async (interval) => {
    expect(await session.command('telemetry', { interval, types: ['event'] })).toMatchObject({
      status: { error: 2, text: 'invalid parameters' },
    });
  });

  it('refuses telemetry on command where the configuration has it', async () => {
    const metrics = { telemetry: { interval: 30, types: ['event'] } };
    await session.command('configure', { uuid: 9, config: { uuid: 9, metrics } });
    expect(await session.command('telemetry', { interval: 5, types: ['event'] })).toMatchObject({
      status: { error: 3 },
    });
    rig.clock.advance(30_000);
    expect((await session.message('telemetry')).params.adhoc).toBe(1);
  });

  it.each([['not json'], ['[]'], ['null'], ['{"method":"ping","id":1}'], ['{"jsonrpc":"2.0","error":{"code":1}}']])(
    'survives %s',
    async (frame) => {
      session.raw(frame);
      expect(await session.command('ping', {})).toEqual({ serial, uuid: 1 });
    },
  );

  it('sends nothing more when it hangs, and answers no ping', async () => {
    rig.client.freeze(true);
    const lost = session.send('ping', {});
    let pongs = 0;
    session.socket.on('pong', () => {
      pongs += 1;
    });
    session.socket.ping();
    await settled(() => rig.changes.some((change) => change.change === 'ignored'));
    rig.clock.advance(600_000);
    expect(rig.client.online).toBe(true);
    rig.client.freeze(false);
    await session.command('ping', {});
    expect(session.replies.map((reply) => reply.id)).not.toContain(lost);
    expect([session.pings, pongs]).toEqual([0, 0]);
  });

  it('stays away when it hangs and was closed, until it is let go', async () => {
    rig.client.freeze(true);
    session.socket.terminate();
    await settled(() => !rig.client.online);
    expect(rig.changes.at(-1)).toMatchObject({ change: 'offline', retryIn: null });
    rig.clock.advance(600_000);
    const opened = rig.console.session();
    rig.client.freeze(false);
    await (await opened).message('connect');
  });
});

describe('commands elsewhere', () => {
  it('a switch says Success to what it does not know', async () => {
    await connect({ firmware: switchFirmware });
    expect(await session.command('leds', { pattern: 'blink' })).toMatchObject({
      status: { error: 0, text: 'Success' },
    });
    expect(rig.system.calls).not.toContain('leds blink 30');
  });

  it.each([
    ['switch', switchFirmware],
    ['agent', agentFirmware],
  ])('a %s serves request under the request’s own id', async (_name, firmware) => {
    await connect({ firmware });
    await session.command('request', { message: 'state', request_uuid: 'r1' });
    expect((await session.message('state')).params.request_uuid).toBe('r1');
    await session.command('request', { message: 'healthcheck', request_uuid: 'r2' });
    expect((await session.message('healthcheck')).params).toMatchObject({ request_uuid: 'r2', sanity: 100 });
  });

  it('replies can be doubled or dropped by an option', async () => {
    await connect({ shapeReply: (reply) => [reply, reply] });
    const id = session.send('ping', {});
    await session.until(() => session.replies.filter((reply) => reply.id === id).length === 2);
  });
});
