import { afterEach, describe, expect, it } from 'vitest';
import { DeviceClient } from '../client.ts';
import { ConfigurationStore } from '../configuration-store.ts';
import { enrol, type Identity } from '../enrol.ts';
import { agentFirmware } from '../firmware.ts';
import { ManualClock } from '../manual-clock.ts';
import { PlainSystem, settled, TestAuthority, TestConsole, type TestConsoleOptions } from '../testing/index.ts';
import { reachConsole, reachConsoleWithin } from './verify.ts';

const consoles: TestConsole[] = [];
afterEach(async () => {
  await Promise.all(consoles.splice(0).map((one) => one.stop()));
});

async function enrolled(options: TestConsoleOptions = {}): Promise<{ console: TestConsole; identity: Identity }> {
  const console = await TestConsole.start(options);
  consoles.push(console);
  return { console, identity: await enrol({ consoleUrl: console.url, bindingCode: 'X', serial: '02fe3c9a0001' }) };
}

describe('the console is reached', () => {
  it('when it is the enrolled one and takes our certificate; it sees no session', async () => {
    const { console, identity } = await enrolled();
    expect(await reachConsole(identity)).toEqual({ reached: true });
    expect(console.sessions).toEqual([]);
  });

  it.each<[string, (right: Identity) => Promise<Identity> | Identity, RegExp]>([
    ['another authority', (right) => ({ ...right, ca: new TestAuthority().certificate }), /certificate/],
    ['another name', async () => (await enrolled({ serverName: 'elsewhere' })).identity, /another host/],
    [
      'a console that does not take our certificate',
      async (right) => {
        const other = (await enrolled()).identity;
        return { ...right, certificate: other.certificate, key: other.key };
      },
      /unknown ca|hung up|alert/i,
    ],
    [
      'a console that refuses our certificate after the handshake',
      async () => (await enrolled({ reach: 403 })).identity,
      /certificate is refused/,
    ],
    ['a closed port', (right) => ({ ...right, port: 1 }), /ECONNREFUSED/],
  ])('not when there is %s', async (_what, change, words) => {
    const { identity } = await enrolled();
    const verdict = await reachConsole(await change(identity));
    expect(verdict).toMatchObject({ reached: false, detail: expect.stringMatching(words) });
  });

  it('when it is one of before that knows no such question, has no database just now, or has unbound the box', async () => {
    for (const reach of [426, 404, 503, 410])
      expect(await reachConsole((await enrolled({ reach })).identity)).toEqual({ reached: true });
  });

  it('as soon as it comes back within the time', async () => {
    const { console, identity } = await enrolled();
    let tries = 0;
    const moved = new Proxy(identity, {
      get: (target, name) => (name === 'port' ? (tries++ === 0 ? 1 : console.devicePort) : Reflect.get(target, name)),
    });
    expect(await reachConsoleWithin(moved, 60_000, 1)).toEqual({ reached: true });
    expect(tries).toBe(2);
  });

  it('not when the time is over, with the last reason', async () => {
    const { identity } = await enrolled();
    const verdict = await reachConsoleWithin({ ...identity, port: 1 }, 3000, 10);
    expect(verdict).toMatchObject({ reached: false, detail: expect.stringContaining('ECONNREFUSED') });
  });

  it('not when the wait is aborted', async () => {
    const { identity } = await enrolled();
    const stop = new AbortController();
    stop.abort();
    expect(await reachConsoleWithin(identity, 60_000, 1, stop.signal)).toEqual({ reached: false, detail: 'stopped' });
  });
});

describe('the agent', () => {
  it('opens no session to a console of another authority or another name', async () => {
    const other = await enrolled();
    const { identity } = await enrolled();
    const renamed = await enrolled({ serverName: 'elsewhere' });
    const wrong: [Identity, string][] = [
      [{ ...identity, port: other.console.devicePort }, 'failed'],
      [{ ...renamed.identity, certificate: identity.certificate, key: identity.key }, 'wrong-host'],
    ];
    for (const [pinned, kind] of wrong) {
      const ends: string[] = [];
      const client = new DeviceClient({
        identity: pinned,
        firmware: agentFirmware,
        clock: new ManualClock(0),
        random: () => 0.5,
        system: new PlainSystem(pinned.serial),
        store: new ConfigurationStore({ uuid: 1 }, null),
        observer: (change) => {
          if (change.change === 'offline') ends.push(change.end.kind);
        },
      });
      await client.start('coldboot');
      await settled(() => ends.length > 0);
      client.stop();
      expect(ends[0]).toBe(kind);
    }
    expect([...other.console.sessions, ...renamed.console.sessions]).toEqual([]);
  });
});
