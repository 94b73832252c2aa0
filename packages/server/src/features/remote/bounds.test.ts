import { connect, createServer, type Socket } from 'node:net';
import { remoteLimits } from '@yunxun/contract/device';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { endDevices, enrol } from '../../../test/conformance/device-client.ts';
import { host } from '../../../test/seed.ts';
import { seedPerson, signInAgain } from '../../../test/seed-account.ts';
import type { As, Registered } from '../../../test/server.ts';
import { administrator } from '../installation/testing/administrator.ts';
import { AgentFixture, sshHost } from './testing/agent-fixture.ts';
import { dialRelay, fillUntilStuck } from './testing/devices.ts';
import { RemoteFixture } from './testing/fixture.ts';
import { TerminalPage } from './testing/page.ts';

let wired: AgentFixture;
let wireless: RemoteFixture;
let admin: Registered;

beforeAll(async () => {
  [wired, wireless] = await Promise.all([AgentFixture.start(), RemoteFixture.start({ trustedProxies: [] })]);
  await wireless.allow(true);
  admin = await administrator(wireless.server);
});
afterEach(async () => {
  await wireless.endAll();
  await wired.endAll();
});
afterAll(async () => {
  await endDevices();
  await wired.stop();
  await wireless.server.stop();
});

const lock = (id: string, locked: boolean) =>
  wireless.server.call('/api/v3/install/account/lock', { account_id: id, locked }, admin);

/** Opens a session of the access point, and joins it. */
async function sessionOf(as: As & Pick<Registered, 'token'>) {
  const request = await wireless.open(as);
  const device = await wireless.join(request);
  const page = await TerminalPage.of(wireless.server, request.id, as, as.account ? { account: as.account } : {});
  await page.shows('login: ');
  return { id: request.id, device, page };
}

describe('the port', () => {
  it('takes 64 unproven connections of an address, and still those of others', async () => {
    const port = wireless.server.program.remotePort;
    const localAddress = '127.0.0.2';
    const gone = new Set<Socket>();
    const silent = () => {
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      return socket.on('error', () => undefined).on('close', () => gone.add(socket));
    };
    const first = Array.from({ length: 64 }, silent);
    const beyond = silent();
    await expect.poll(() => [...gone]).toEqual([beyond]);
    await sessionOf(wireless.owner);
    for (const socket of first) socket.destroy();
    const isServed = () =>
      dialRelay(port, { ca: wireless.identity.ca }, undefined, { localAddress }).then(
        (socket) => socket.destroy() !== null,
        () => false,
      );
    await expect.poll(isServed).toBe(true);
  });

  it('frees a connection from the count that has proven itself', async () => {
    const { device } = await sessionOf(wireless.owner);
    const port = wireless.server.program.remotePort;
    const silent = Array.from({ length: 64 }, () => connect({ host: '127.0.0.1', port }).on('error', () => undefined));
    await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect([device.closed, silent.filter((socket) => socket.closed)]).toEqual([false, []]);
    for (const socket of silent) socket.destroy();
  });
});

describe('a page', () => {
  it('that sends a thousand sizes changes the terminal a few times, to the last one', async () => {
    const { device, page } = await sessionOf(wireless.owner);
    for (let cols = 1; cols <= 1000; cols += 1) page.say({ type: 'size', cols, rows: 20 });
    await expect.poll(() => device.heard).toContainEqual({ type: 'size', sid: 1, columns: 1000, rows: 20 });
    expect(device.heard.filter(({ type }) => type === 'size').length).toBeLessThan(100);
  });

  it('is stopped while the device reads nothing of what is typed', async () => {
    const { device, page } = await sessionOf(wireless.owner);
    device.socket.pause();
    const pieces = await fillUntilStuck(page.typing(), Buffer.alloc(32 * 1024, 'a'));
    device.socket.resume();
    await expect.poll(() => device.typed).toBe(pieces * 32 * 1024);
  });
});

describe('the last output of a host', () => {
  const last = 'x'.repeat(8000);
  const telnet = () =>
    createServer((socket) => {
      socket.on('error', () => undefined).write('ready');
      socket.on('data', (typed) => typed.includes('go') && socket.end(last));
    });
  const ssh = () =>
    sshHost({
      shell(_client, stream) {
        stream.write('ready');
        stream.once('data', () => {
          stream.write(last);
          stream.exit(0);
          stream.end();
        });
      },
    });

  it.each([
    ['telnet', '192.168.1.40', telnet],
    ['ssh', '192.168.1.41', ssh],
  ] as const)('waits for a page that draws slowly (%s)', async (kind, ip, listener) => {
    let isClosed = false;
    const target = listener().on('connection', (socket: Socket) => {
      socket.once('close', () => {
        isClosed = true;
      });
    });
    const { page } = await wired.open(await wired.peripheral(ip, target), kind);
    if (kind === 'ssh') {
      await page.hears('login');
      page.say({ type: 'login', user: 'root', password: 'right' });
    }
    await page.shows('ready');
    page.say({ type: 'hold', on: true });
    page.type('go');
    if (kind === 'telnet') await expect.poll(() => isClosed).toBe(true);
    page.say({ type: 'hold', on: false });
    expect(await page.hears('end')).toMatchObject({ reason: 'closed' });
    await page.shows(last);
  });
});

describe('a token', () => {
  it('opens nothing for a device of another account, and nothing a second time', async () => {
    const { call } = wired.server;
    const stranger = await wired.server.register();
    const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Elsewhere' }, stranger);
    const other = await enrol(wired.server, stranger, { gwid: data.gwid });
    await wired.call('remote/open', wired.shellRequest());
    const hello = await wired.request();
    expect((await wired.join(hello, other)).line).toContain('certificate');
    expect((await wired.join(hello)).line).toContain('ok');
    expect((await wired.join(hello)).line).toContain('token');
    const foreign = await call('/api/v3/remote/open', wired.shellRequest(), stranger);
    expect(foreign.code).toBe(4113);
  });
});

describe('a session lives by the sign-in of the page that shows it', () => {
  it('and not by the one that opened it', async () => {
    const { server, owner } = wireless;
    const [one, two] = await Promise.all(
      [0, 1].map(() => signInAgain(server, { ...owner, personId: owner.userId }, new Date())),
    );
    const { id, page } = await sessionOf(one!);
    const second = await TerminalPage.of(server, id, two!);
    await page.leaves();
    expect((await server.get('/api/v3/logout', one)).code).toBe(2000);
    const seen = async () => {
      const { rows } = await server.db.database.systemPool.query<{ seen_at: Date }>(
        'select seen_at from remote_session where id = $1',
        [id],
      );
      return rows[0]!.seen_at.getTime();
    };
    // two rounds of the check, which begin with this time
    for (let round = 0; round < 2; round += 1) {
      const before = await seen();
      await expect.poll(seen).toBeGreaterThan(before);
    }
    second.type('still here');
    await second.shows('still here');
    expect((await server.get('/api/v3/logout', two)).code).toBe(2000);
    expect(await second.hears('end')).toMatchObject({ reason: 'no_rights' });
  });
});

describe('a session ends', () => {
  it('when the account is locked', async () => {
    const { page } = await sessionOf(wireless.owner);
    await lock(wireless.owner.accountId, true);
    expect(await page.hears('end')).toMatchObject({ reason: 'no_rights' });
    await lock(wireless.owner.accountId, false);
    const renewed = await signInAgain(
      wireless.server,
      { ...wireless.owner, personId: wireless.owner.userId },
      new Date(),
    );
    wireless.owner.token = renewed.token!;
  });

  it('when the home account of a hosted person is locked', async () => {
    const { server, owner } = wireless;
    const guest = await seedPerson(server);
    await host(server, owner.accountId, guest.accountId, ['network.read', 'remote.use']);
    const { page } = await sessionOf({ token: guest.token, account: owner.accountId });
    await lock(guest.accountId, true);
    expect(await page.hears('end')).toMatchObject({ reason: 'no_rights' });
  });

  it('when its process cannot announce it', async () => {
    const request = await wireless.open();
    vi.spyOn(wireless.server.program.bus, 'respond').mockImplementationOnce(() => {
      throw new Error('closed');
    });
    const device = await wireless.join(request);
    await expect.poll(() => device.closed).toBe(true);
    await wireless.endsBy(request.id, 'process');
  });

  it('when its process was killed', async () => {
    const request = await wireless.open();
    const { db } = wireless.server;
    const dead = new Date(Date.now() - 61_000);
    await db.query('update remote_session set connected_at = $1, seen_at = $1 where id = $2', [dead, request.id]);
    await db.database.systemPool.query("select graphile_worker.add_job('remote-sweep')");
    await wireless.endsBy(request.id, 'process');
  });

  it('when the agent was killed', async () => {
    const { id, agent, page } = await wired.open({ serial: wired.identity.serial }, 'shell');
    await page.shows('box login: ');
    agent.socket.destroy();
    expect(await page.hears('end')).toMatchObject({ reason: 'closed' });
    const ended = async () => {
      const { data } = await wired.call<{ list: { id: string; state: string }[] }>('remote/list', { limit: 50 });
      return data.list.find((row) => row.id === id)?.state;
    };
    await expect.poll(ended).toBe('ended');
  });

  it('when a page says a line that is too long', async () => {
    const { page } = await sessionOf(wireless.owner);
    page.socket.send('x'.repeat(remoteLimits.unreadBytes));
    expect(await page.leaves()).toBe(1009);
  });
});
