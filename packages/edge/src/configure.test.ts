import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compressParams } from './codec.ts';
import { ConfigurationStore } from './configuration-store.ts';
import { switchFirmware } from './firmware.ts';
import { type Rig, startRig, type TestSession } from './testing/index.ts';

let rig: Rig;
let session: TestSession;
const serial = '53494d000001';

async function connect(options: Parameters<typeof startRig>[0] = {}): Promise<void> {
  rig = await startRig(options);
  session = await rig.connected();
}

function configure(outer: number, inner: number | undefined = outer, more: Record<string, unknown> = {}) {
  const config = { ...(inner === undefined ? {} : { uuid: inner }), interfaces: [], ...more };
  return session.command('configure', { uuid: outer, config });
}

describe('configure on an access point', () => {
  beforeEach(() => connect());
  afterEach(() => rig.stop());

  it('applies a newer document and answers with its uuid', async () => {
    expect(await configure(1000)).toEqual({ serial, uuid: 1000, status: { error: 0, text: 'Success' } });
    expect(rig.system.running?.uuid).toBe(1000);
  });

  it('refuses what it cannot keep, and takes it once it can', async () => {
    let full = true;
    await rig.stop();
    const store = new ConfigurationStore({ uuid: 1 }, null, () => {
      if (full) throw new Error('ENOSPC');
    });
    await connect({ store });
    expect(await configure(1000)).toMatchObject({
      uuid: 1,
      status: { error: 2, rejected: ['[E] (In /) it cannot be kept: ENOSPC'] },
    });
    expect(rig.system.running?.uuid).not.toBe(1000);
    full = false;
    expect(await configure(1000)).toEqual({ serial, uuid: 1000, status: { error: 0, text: 'Success' } });
  });

  it.each([
    ['a lower uuid', 999],
    ['the same uuid', 1000],
    ['the uuid of an unconfigured box', 1],
  ])('answers %s with “Already applied.” and the old uuid', async (_name, uuid) => {
    await configure(1000);
    const applies = rig.system.calls.length;
    expect(await configure(uuid)).toEqual({ serial, uuid: 1000, status: { error: 0, text: 'Already applied.' } });
    expect(rig.system.calls).toHaveLength(applies);
  });

  it('keeps the old one after a rejection, yet wants a uuid above the rejected one', async () => {
    await configure(1000);
    rig.system.verdicts = [{ error: 2, rejected: ['[E] (In /radios/0/band) Value must be one of 2G'] }];
    expect(await configure(2000)).toEqual({
      serial,
      uuid: 1000,
      status: { error: 2, text: 'Failed', rejected: ['[E] (In /radios/0/band) Value must be one of 2G'] },
    });
    expect((await configure(1500)).status).toMatchObject({ text: 'Already applied.' });
    expect((await configure(2001)).uuid).toBe(2001);
  });

  it('reports what it left out with error 1', async () => {
    rig.system.verdicts = [{ error: 1, rejected: ['[W] no 6G radio'] }];
    expect(await configure(1000)).toEqual({
      serial,
      uuid: 1000,
      status: { error: 1, text: 'Rejects', rejected: ['[W] no 6G radio'] },
    });
  });

  it('answers a document without uuid under the id of the old configuration', async () => {
    await configure(1000);
    session.raw({ jsonrpc: '2.0', method: 'configure', params: { serial, uuid: 1001, config: {} }, id: 7 });
    const reply = await session.until(() => session.replies.find((entry) => entry.id === 1000));
    expect(reply.result).toMatchObject({ uuid: 1000, status: { error: 2 } });
    expect(session.replies.some((entry) => entry.id === 7)).toBe(false);
  });

  it('goes by the inner uuid when the two differ', async () => {
    expect((await configure(2000, 1000)).uuid).toBe(1000);
  });

  it.each([
    ['neither document nor uuid', {}],
    ['a document that is a list', { uuid: 5, config: [] }],
    ['broken compressed parameters', { compress_64: 'AAAA', compress_sz: 4 }],
  ])('refuses %s', async (_name, params) => {
    expect(await session.command('configure', params)).toMatchObject({
      status: { error: 2, text: 'invalid parameters' },
    });
  });

  it('takes 200 KB in a compressed frame of a few KB', async () => {
    const config = { uuid: 1000, interfaces: [], filler: 'y'.repeat(200_000) };
    const params = compressParams(JSON.stringify({ serial, uuid: 1000, config }));
    expect(params.compress_64.length).toBeLessThan(4_000);
    expect((await session.command('configure', { ...params })).uuid).toBe(1000);
    expect(rig.system.running).toEqual(config);
  });

  it('takes 30 KB plain; 40 KB are read as two halves, logged twice and never answered', async () => {
    expect((await configure(1000, 1000, { filler: 'z'.repeat(30_000) })).uuid).toBe(1000);
    const id = session.send('configure', { uuid: 1001, config: { uuid: 1001, filler: 'z'.repeat(40_000) } });
    const logs = await session.until(() => {
      const found = session.messages.filter((message) => message.method === 'log');
      return found.length === 2 ? found : null;
    });
    expect(logs[0]?.params).toEqual({ serial, log: 'failed to parse command', severity: 2 });
    await session.command('ping', {});
    expect(session.replies.some((entry) => entry.id === id)).toBe(false);
  });

  it('answers ids beyond 31 bits with 0, and such a configure not at all', async () => {
    session.raw({ jsonrpc: '2.0', method: 'ping', params: { serial }, id: 2 ** 31 });
    await session.until(() => session.replies.find((entry) => entry.id === 0));
    session.raw({ jsonrpc: '2.0', method: 'configure', params: { serial, uuid: 9, config: { uuid: 9 } }, id: 2 ** 40 });
    await configure(10);
    expect(session.replies.filter((entry) => entry.id === 0)).toHaveLength(1);
    expect(rig.system.calls).toContain('apply 9');
  });

  it('tries the rejected document again at the next start', async () => {
    await configure(1000);
    rig.system.verdicts = [{ error: 2, rejected: [] }];
    await configure(2000);
    rig.client.stop('lost');
    const opened = rig.console.session();
    await rig.client.start('reboot');
    const hello = await (await opened).message('connect');
    expect(hello.params).toMatchObject({ uuid: 2000, reason: 'reboot' });
  });

  it('runs the old one when the rejected document fails again', async () => {
    await configure(1000);
    const failed = { error: 2 as const, rejected: [] };
    rig.system.verdicts = [failed, failed];
    await configure(2000);
    rig.client.stop('lost');
    const opened = rig.console.session();
    await rig.client.start('reboot');
    expect((await (await opened).message('connect')).params.uuid).toBe(1000);
    expect(rig.system.running?.uuid).toBe(1000);
  });
});

describe('configure on a switch', () => {
  beforeEach(() => connect({ firmware: switchFirmware }));
  afterEach(() => rig.stop());

  it('takes 200 KB plain', async () => {
    expect((await configure(1000, 1000, { filler: 'z'.repeat(200_000) })).uuid).toBe(1000);
  });

  it('refuses compressed parameters', async () => {
    const params = compressParams(JSON.stringify({ serial, uuid: 1000, config: { uuid: 1000 } }));
    expect(await session.command('configure', { ...params })).toMatchObject({
      uuid: 1,
      status: { error: 2, text: 'invalid parameters' },
    });
  });
});
