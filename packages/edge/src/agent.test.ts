import { afterEach, describe, expect, it } from 'vitest';
import { agentFirmware } from './firmware.ts';
import type { LinkNetwork } from './link.ts';
import { type Rig, settled, startRig } from './testing/index.ts';

let rig: Rig;
afterEach(() => rig.stop());

describe('client of the agent', () => {
  it('says what became of a configuration whatever groups of events are asked for', async () => {
    rig = await startRig({ firmware: agentFirmware });
    const session = await rig.connected();
    rig.system.listener?.event(5, 'client.join', {});
    rig.system.listener?.event(6, 'unit.config-returned', { uuid: 3, reason: 'no answer' });
    await session.command('ping', {});
    const events = session.messages.filter(({ method }) => method === 'event');
    expect(events.map(({ params }) => params.data)).toEqual([
      { event: [6, { type: 'unit.config-returned', payload: { uuid: 3, reason: 'no answer' } }] },
    ]);
  });

  it('hands on what the console says besides commands', async () => {
    const commands: unknown[] = [];
    rig = await startRig({ firmware: agentFirmware, onCommand: (method, params) => commands.push([method, params]) });
    const session = await rig.connected();
    session.raw({ jsonrpc: '2.0', method: 'yunxun.taken', params: { seq: 4 } });
    await session.command('ping', {});
    expect(commands).toEqual([['yunxun.taken', { seq: 4 }]]);
  });

  it('refuses a restart that the box does not allow, and stays up', async () => {
    rig = await startRig({ firmware: agentFirmware });
    rig.system.mayRestart = () => ({ error: 2, text: 'not here' });
    const session = await rig.connected();
    expect(await session.command('reboot', { when: 0 })).toMatchObject({ status: { error: 2, text: 'not here' } });
    rig.clock.advance(60_000);
    expect(rig.system.restarts).toEqual([]);
  });

  it('keeps a link that answers after a change of the network, and gives up one that does not', async () => {
    rig = await startRig({ firmware: agentFirmware });
    const first = await rig.connected();
    rig.client.checkLink(5_000);
    await first.until(() => first.pings === 1);
    await first.command('ping', {});
    rig.clock.advance(5_000);
    expect(rig.client.online).toBe(true);

    first.socket.pause();
    rig.client.checkLink(5_000);
    const opened = rig.console.session();
    rig.clock.advance(5_000);
    rig.clock.advance(0);
    const second = await opened;
    expect((await second.message('connect')).params.reason).toBe('socket');
  });

  it('does not wait out its pause when the network has changed', async () => {
    rig = await startRig({ firmware: agentFirmware });
    const first = await rig.connected();
    first.socket.terminate();
    await settled(() => rig.changes.some(({ change }) => change === 'offline'));
    const opened = rig.console.session();
    rig.client.checkLink(5_000);
    await (await opened).message('connect');
  });

  it('waits as long as an overloaded console asks for', async () => {
    rig = await startRig({ firmware: agentFirmware }, { overloaded: { times: 1, retryAfterS: 7 } });
    const opened = rig.console.session();
    await rig.client.start('coldboot');
    await settled(() => rig.changes.length > 0);
    expect(rig.changes[0]).toMatchObject({ change: 'offline', end: { retryAfter: 7_000 }, retryIn: 10_500 });
    rig.clock.advance(10_500);
    await (await opened).message('connect');
  });

  it('resolves the console with its own lookup and notes the address that proved to be the console', async () => {
    const name = 'console.example';
    const asked: string[] = [];
    const proven: string[][] = [];
    const network: LinkNetwork = {
      lookup(host, options, done) {
        asked.push(host);
        if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }]);
        else done(null, '127.0.0.1', 4);
      },
      proven: (...pair) => proven.push(pair),
    };
    rig = await startRig({ firmware: agentFirmware, network }, { location: name, serverName: name });
    await rig.connected();
    expect([asked, proven]).toEqual([[name], [[name, '127.0.0.1']]]);
  });
});
