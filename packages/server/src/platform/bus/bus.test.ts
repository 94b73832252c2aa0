import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { pollTimeoutMs } from '../../../../../tools/poll-timeout.ts';
import { issueServerCertificate, makeAuthority } from '../../uplink/certificates.ts';
import {
  type Bus,
  BusAway,
  BusClosed,
  BusTimeout,
  connectNats,
  createLocalBus,
  MessageTooLarge,
  maxMessageBytes,
  NoResponder,
  RemoteError,
} from './index.ts';
import { natsServer, startNats } from './testing/nats-server.ts';

interface Pair {
  here: Bus;
  there: Bus;
  failures: unknown[];
}

const until = (condition: () => boolean) => expect.poll(condition).toBe(true);

async function settled(bus: Bus, subject: string, message: unknown): Promise<unknown> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await bus.request(subject, message, 2000);
    } catch (error) {
      if (!(error instanceof NoResponder) || tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

function contract(name: string, open: () => Promise<Pair>): void {
  describe(name, () => {
    test('notifies every subscriber once and in order, each with its own copy', async () => {
      const { here, there } = await open();
      const heard: { n: number }[] = [];
      const also: unknown[] = [];
      there.subscribe('order.a', (message) => {
        (message as { extra?: boolean }).extra = true;
        heard.push(message as { n: number });
      });
      there.subscribe('order.a', (message) => also.push(message));
      there.respond('order.ready', async () => true);
      await settled(here, 'order.ready', null);
      for (let n = 0; n < 100; n += 1) here.publish('order.a', { n });
      await until(() => heard.length === 100 && also.length === 100);
      expect(heard.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
      expect(also[0]).toEqual({ n: 0 });
    });

    test('reads * as one token and > as the rest', async () => {
      const { here } = await open();
      const heard: string[] = [];
      const hear = (pattern: string) => here.subscribe(pattern, (_, subject) => heard.push(`${pattern} ${subject}`));
      hear('device.*.x.on');
      hear('device.>');
      hear('device.a');
      here.publish('device.a.x.on', 1);
      here.publish('device.a', 1);
      here.publish('device.a.y.on', 1);
      here.publish('other', 1);
      await until(() => heard.length >= 5);
      // `>` needs one more token
      expect(heard.toSorted()).toEqual([
        'device.*.x.on device.a.x.on',
        'device.> device.a',
        'device.> device.a.x.on',
        'device.> device.a.y.on',
        'device.a device.a',
      ]);
    });

    test('receives nothing after unsubscribing', async () => {
      const { here } = await open();
      const heard: unknown[] = [];
      const stop = here.subscribe('quiet', (message) => heard.push(message));
      here.publish('quiet', 1);
      await until(() => heard.length === 1);
      stop();
      const other: unknown[] = [];
      here.subscribe('quiet', (message) => other.push(message));
      here.publish('quiet', 2);
      await until(() => other.length === 1);
      expect(heard).toEqual([1]);
    });

    test('goes on when a subscriber throws', async () => {
      const { here, failures } = await open();
      const heard: unknown[] = [];
      here.subscribe('rough', () => {
        throw new Error('rough');
      });
      here.subscribe('rough', (message) => heard.push(message));
      here.publish('rough', 1);
      await until(() => heard.length === 1 && failures.length === 1);
      expect((failures[0] as Error).message).toBe('rough');
    });

    test('answers a request, also with nothing, also many at once', async () => {
      const { here, there } = await open();
      there.respond('double', async (message) => (message as number) * 2);
      there.respond('nothing', async () => undefined);
      expect(await settled(here, 'double', 21)).toBe(42);
      expect(await settled(here, 'nothing', null)).toBeNull();
      const many = await Promise.all(Array.from({ length: 200 }, (_, n) => here.request('double', n, pollTimeoutMs)));
      expect(many).toEqual(Array.from({ length: 200 }, (_, n) => n * 2));
    });

    test('reports a missing responder at once', async () => {
      const { here } = await open();
      const before = performance.now();
      await expect(here.request('dev.a.000000000000.rpc', {}, 60_000)).rejects.toThrow(NoResponder);
      expect(performance.now() - before).toBeLessThan(30_000);
    });

    test('reports a responder that has stopped', async () => {
      const { here } = await open();
      const stop = here.respond('gone', async () => 1);
      expect(await here.request('gone', null, 2000)).toBe(1);
      stop();
      await expect(here.request('gone', null, 2000)).rejects.toThrow(NoResponder);
    });

    test('answers requests made before a responder stopped, or reports that none is left', async () => {
      const { here, there } = await open();
      for (let round = 0; round < 50; round += 1) {
        const stop = there.respond('going', async () => round);
        expect(await settled(here, 'going', null)).toBe(round);
        const asked = Array.from({ length: 20 }, () => here.request('going', null, pollTimeoutMs));
        stop();
        for (const answer of await Promise.allSettled(asked)) {
          if (answer.status === 'fulfilled') expect(answer.value).toBe(round);
          else expect(answer.reason).toBeInstanceOf(NoResponder);
        }
      }
    });

    test('lets what listened stop after the bus was closed', async () => {
      const { there } = await open();
      const stops = [there.respond('late', async () => null), there.subscribe('late', () => undefined)];
      await there.close();
      for (const stop of stops) stop();
      // late rejections would be reported before
      await new Promise((resolve) => setImmediate(resolve));
    });

    test('times out when the responder does not answer', async () => {
      const { here } = await open();
      here.respond('slow', () => new Promise(() => undefined));
      await expect(here.request('slow', null, 20)).rejects.toThrow(BusTimeout);
    });

    test('carries what the responder threw', async () => {
      const { here } = await open();
      here.respond('fails', async () => {
        throw Object.assign(new Error('no such thing'), { code: 'NO_SUCH_THING', data: { id: 7 } });
      });
      const error = await here.request('fails', null, 2000).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(RemoteError);
      expect(error).toMatchObject({ message: 'no such thing', code: 'NO_SUCH_THING', data: { id: 7 } });
    });

    test('takes the first answer of several responders', async () => {
      const { here } = await open();
      here.respond('twice', () => new Promise(() => undefined));
      here.respond('twice', async () => 'quick');
      expect(await here.request('twice', null, pollTimeoutMs)).toBe('quick');
    });

    test('carries just under the limit and refuses more, both ways', async () => {
      const { here } = await open();
      here.respond('size', async (message) => (message as string).length);
      here.respond('answer', async () => 'x'.repeat(maxMessageBytes));
      const most = 'x'.repeat(maxMessageBytes - 2);
      expect(await here.request('size', most, pollTimeoutMs)).toBe(most.length);
      await expect(here.request('size', `${most}x`, pollTimeoutMs)).rejects.toThrow(MessageTooLarge);
      here.subscribe('told', () => undefined);
      expect(() => here.publish('told', '网'.repeat(maxMessageBytes / 3))).toThrow(MessageTooLarge);
      await expect(here.request('answer', null, pollTimeoutMs)).rejects.toMatchObject({ code: 'MessageTooLarge' });
    });

    test('refuses what is not a subject', async () => {
      const { here } = await open();
      for (const subject of ['', 'a..b', 'a b', 'a.*', '>', 'a.'])
        expect(() => here.publish(subject, 1)).toThrow(TypeError);
      for (const subject of ['a.>.b', 'a*.b', ''])
        expect(() => here.subscribe(subject, () => undefined)).toThrow(TypeError);
    });

    test('fails what is under way when it closes, and everything after', async () => {
      const { here } = await open();
      here.respond('never', () => new Promise(() => undefined));
      const waiting = here.request('never', null, 60_000);
      const outcome = expect(waiting).rejects.toThrow(BusClosed);
      await here.close();
      await outcome;
      expect(() => here.publish('a', 1)).toThrow(BusClosed);
      await expect(here.request('a', 1, 10)).rejects.toThrow(BusClosed);
    });
  });
}

contract('in one process', async () => {
  const failures: unknown[] = [];
  const bus = createLocalBus((error) => failures.push(error));
  return { here: bus, there: bus, failures };
});

if (natsServer) {
  const started = startNats();
  const buses: Bus[] = [];
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    await (await started).stop();
  });

  contract('over NATS', async () => {
    const failures: unknown[] = [];
    const { url } = await started;
    const open = () => connectNats({ url, failed: (error) => failures.push(error) });
    const [here, there] = await Promise.all([open(), open()]);
    buses.push(here, there);
    return { here, there, failures };
  });

  test('takes credentials and TLS, and trusts no other authority', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'yunxun-nats-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const now = new Date();
    const authority = await makeAuthority(now);
    const { certificate, key } = await issueServerCertificate(authority, 'localhost', now);
    writeFileSync(join(dir, 'cert.pem'), certificate);
    writeFileSync(join(dir, 'key.pem'), key);
    const config = `authorization { user: yunxun, password: "s3 cret" }
      tls { cert_file: "${join(dir, 'cert.pem')}", key_file: "${join(dir, 'key.pem')}" }`;
    writeFileSync(join(dir, 'nats.conf'), config);
    const server = await startNats(['-c', join(dir, 'nats.conf')]);
    onTestFinished(() => server.stop());
    const connectAs = (user: string, ca: string | null) =>
      connectNats({ url: `tls://${user}@localhost:${server.port}`, ca, failed: () => undefined });
    const bus = await connectAs('yunxun:s3%20cret', authority.certificate);
    bus.respond('safe', async () => 'yes');
    expect(await bus.request('safe', null, 2000)).toBe('yes');
    await bus.close();
    await expect(connectAs('yunxun:wrong', authority.certificate)).rejects.toThrow(/YUNXUN_BUS_URL/);
    await expect(connectAs('yunxun:s3%20cret', null)).rejects.toThrow(/certificate/);
  });

  test('says at once that the server is away, and goes on when it is back', async () => {
    const first = await startNats();
    const bus = await connectNats({ url: first.url, failed: () => undefined });
    onTestFinished(() => bus.close());
    bus.respond('there', async () => 'yes');
    await bus.check();
    await first.stop();
    const state = () =>
      bus.check().then(
        () => 'here',
        (error: Error) => error.name,
      );
    await expect.poll(state).toBe('BusAway');
    await expect(bus.request('there', null, 600_000)).rejects.toThrow(BusAway);
    const second = await startNats([], first.port);
    onTestFinished(() => second.stop());
    await expect.poll(state).toBe('here');
    expect(await settled(bus, 'there', null)).toBe('yes');
  });

  test('a start without a NATS server says so in a sentence', async () => {
    await expect(connectNats({ url: 'nats://127.0.0.1:1', failed: () => undefined })).rejects.toThrow(
      /No message server answers at 127\.0\.0\.1:1/,
    );
  });
} else if (process.env.CI) {
  test('over NATS', () => {
    throw new Error(
      'nats-server is not installed: in CI the bus must be tested over NATS (Debian package nats-server)',
    );
  });
} else {
  test.skip('over NATS: nats-server is not installed here (Debian package nats-server)', () => undefined);
}
