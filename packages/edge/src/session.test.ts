import { afterEach, describe, expect, it } from 'vitest';
import { type ClientChange, type ClientOptions, DeviceClient } from './client.ts';
import { switchFirmware } from './firmware.ts';
import { type Rig, settled, startRig, TestAuthority, type TestConsoleOptions } from './testing/index.ts';

let rig: Rig;
afterEach(async () => rig.stop());

async function start(options: Partial<ClientOptions> = {}, server: TestConsoleOptions = {}): Promise<Rig> {
  rig = await startRig(options, server);
  return rig;
}

const configured = (metrics: unknown, uuid = 1_700_000_000) => ({ uuid, interfaces: [], metrics });

describe('session', () => {
  it('shows its certificate, asks for path / and offers neither subprotocol nor compression', async () => {
    const { connected, system } = await start();
    const session = await connected();
    expect(session.commonName).toBe(system.serial);
    expect(session.request.url).toBe('/');
    expect(session.request.headers['sec-websocket-protocol']).toBeUndefined();
    expect(session.request.headers['sec-websocket-extensions']).toBeUndefined();
  });

  it('begins with connect: serial, firmware, uuid 1 when unconfigured, the cause of the boot', async () => {
    const session = await (await start()).connected();
    expect(session.messages[0]).toMatchObject({
      method: 'connect',
      params: {
        serial: rig.system.serial,
        firmware: 'test-1.0',
        uuid: 1,
        reason: 'coldboot',
        capabilities: { platform: 'ap' },
      },
    });
  });

  it('comes back with reason socket after a lost line, 10 s later, and after failures ever more slowly', async () => {
    const { connected, client, console: server, clock, changes } = await start();
    const first = await connected();
    first.socket.terminate();
    await settled(() => changes.find((change) => change.change === 'offline'));
    expect(changes.at(-1)).toMatchObject({ change: 'offline', retryIn: 10_000 });
    const opened = server.session();
    clock.advance(10_000);
    const second = await opened;
    expect((await second.message('connect')).params.reason).toBe('socket');
    expect(client.online).toBe(true);
  });

  it('spaces failing attempts 0, 10, 20 … s', async () => {
    const { client, console: server, clock, changes } = await start();
    await server.stop();
    await client.start('coldboot');
    const waits: (number | null)[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await settled(() => changes.length >= attempt);
      const last = changes.at(-1);
      if (last?.change === 'offline') waits.push(last.retryIn);
      clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([0, 10_000, 20_000, 30_000]);
  });

  it('restarts itself after five minutes without a link: quick attempts again, reason recovery', async () => {
    const { connected, console: server, clock, changes } = await start();
    const first = await connected();
    const away = rig.identity.port;
    rig.identity.port = 1;
    first.socket.terminate();
    const waits: (number | null)[] = [];
    for (let attempt = 1; !waits.includes(0); attempt += 1) {
      await settled(() => changes.filter((change) => change.change === 'offline').length >= attempt);
      const last = changes.at(-1);
      if (last?.change !== 'offline' || last.retryIn === null) throw new Error('gave up');
      waits.push(last.retryIn);
      if (last.retryIn > 0) clock.advance(last.retryIn);
    }
    expect(waits).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000, 0]);
    rig.identity.port = away;
    const opened = server.session();
    clock.advance(1);
    expect((await (await opened).message('connect')).params.reason).toBe('recovery');
  });

  it('pings after 60 s of silence and stays when it is answered', async () => {
    const { connected, clock, client } = await start();
    const session = await connected();
    clock.advance(60_000);
    await session.until(() => session.pings === 1);
    clock.advance(5_000);
    session.raw({ jsonrpc: '2.0', method: 'ping', params: { serial: rig.system.serial }, id: 9 });
    await session.until(() => session.replies.length === 1);
    clock.advance(30_000);
    expect(client.online).toBe(true);
  });

  it('hangs up after 70 s without a pong', async () => {
    const { connected, clock, client } = await start({}, { pong: false });
    const session = await connected();
    clock.advance(69_000);
    await session.until(() => session.pings === 1);
    expect(client.online).toBe(true);
    clock.advance(1_500);
    await session.until(() => session.closed);
    expect(client.online).toBe(false);
  });

  it.each([
    ['the common name', { serverName: 'localhost', alternativeNames: [] }],
    ['an alternative name', { serverName: 'elsewhere', alternativeNames: ['localhost'] }],
  ])('accepts a server named by %s', async (_case, server) => {
    await (await start({}, server)).connected();
    expect(rig.client.online).toBe(true);
  });

  it('waits half an hour when the certificate names another host', async () => {
    const { client, changes } = await start({}, { serverName: 'elsewhere' });
    await client.start('coldboot');
    await settled(() => changes.length > 0);
    expect(changes[0]).toMatchObject({ change: 'offline', end: { kind: 'wrong-host' }, retryIn: 1_800_000 });
  });

  it('refuses a server of another authority', async () => {
    const { identity, system, store, clock } = await start();
    const changes: ClientChange[] = [];
    const client = new DeviceClient({
      identity: { ...identity, ca: new TestAuthority().certificate },
      system,
      store,
      clock,
      firmware: switchFirmware,
      random: () => 0.5,
      observer: (change) => changes.push(change),
    });
    await client.start('coldboot');
    await settled(() => changes.length > 0);
    expect(changes[0]).toMatchObject({ change: 'offline', end: { kind: 'failed' } });
    client.stop();
  });

  it('a switch gives no reason and sends device.reboot at time 0', async () => {
    const session = await (await start({ firmware: switchFirmware })).connected();
    expect(session.messages[0]?.params).not.toHaveProperty('reason');
    const event = await session.message('event');
    expect(event.params.data).toEqual({ event: [0, { type: 'device.reboot', payload: { description: 'coldboot' } }] });
  });
});

describe('reports', () => {
  it('come at the configured interval, state compressed from 2 KiB on', async () => {
    const { connected, clock, system } = await start();
    const session = await connected();
    clock.advance(30_000);
    expect(session.messages.filter((message) => message.method === 'state')).toHaveLength(0);
    await session.command('configure', {
      uuid: 1_700_000_000,
      config: configured({ statistics: { interval: 60 }, health: { interval: 120 } }),
    });
    clock.advance(55_000);
    const small = await session.message('state');
    expect(small.compressed).toBe(false);
    expect(small.params).toMatchObject({ serial: system.serial, uuid: 1_700_000_000, state: { version: 1 } });
    system.stateBytes = 5_000;
    const before = session.messages.length;
    await session.command('ping', {});
    clock.advance(55_000);
    await session.command('ping', {});
    clock.advance(55_000);
    const large = await session.message('state', before);
    expect(large.compressed).toBe(true);
    expect(large.bytes).toBeLessThan(1_000);
    expect((await session.message('healthcheck')).params).toMatchObject({ sanity: 100 });
  });

  it('never come faster than once a minute, whatever is asked', async () => {
    const { connected, clock } = await start();
    const session = await connected();
    await session.command('configure', { uuid: 5, config: configured({ statistics: { interval: 5 } }, 5) });
    clock.advance(59_000);
    await session.command('ping', {});
    expect(session.messages.filter((message) => message.method === 'state').length).toBeLessThanOrEqual(1);
  });

  it('hold realtime events while the line is down, 250 at most, and send only the groups asked for', async () => {
    const { connected, clock, system, client, console: server } = await start();
    const session = await connected();
    await session.command('configure', { uuid: 5, config: configured({ realtime: { types: ['client'] } }, 5) });
    client.loseLink(10_000);
    for (let count = 0; count < 300; count += 1) system.listener?.event(count, 'client.join', { count });
    system.listener?.event(1, 'wired.carrier-up', { name: 'WAN' });
    const opened = server.session();
    clock.advance(10_000);
    const again = await opened;
    await again.until(() => again.messages.filter((message) => message.method === 'event').length === 250);
    await again.command('ping', {});
    const events = again.messages.filter((message) => message.method === 'event');
    expect(events).toHaveLength(250);
    expect(events[0]?.params.data).toMatchObject({ event: [50, { type: 'client.join' }] });
  });
});
