import { settled, type TestSession } from '@yunxun/edge/testing';
import { describe, expect, it } from 'vitest';
import { configure, fleetFixture } from './fleet-fixture.ts';
import { wirelessDocument } from './testing.ts';

const fixture = fleetFixture();
const { one } = fixture;

describe('faults on command', () => {
  it('lose the link for a while', async () => {
    const { session, serial, fleet: started } = await one();
    const back = fixture.console.session(serial);
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
    await settled(() => fixture.console.sessions.length >= 3 && device.online);
    expect((await fixture.console.sessions[0]?.until(() => fixture.console.sessions[0]?.closed)) ?? false).toBe(true);
  });

  it('crash: back with reason crashlog and the log of the boot before', async () => {
    const { serial, fleet: started } = await one();
    const back = fixture.console.session(serial);
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
    const back = fixture.console.session(serial);
    started.device(serial).fault('power-cut', { seconds: 0.05 });
    expect((await (await back).message('connect')).params.reason).toBe('coldboot');
  });
});

async function configureUnanswered(session: TestSession): Promise<void> {
  session.send('configure', { uuid: 5000, config: wirelessDocument(5000, ['Quiet']) });
  await session.event('wifi.start');
}
