import type { fleet as contract, DataOf } from '@yunxun/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, listedAs, switchOf } from '../../../../test/conformance/device-client.ts';
import { type AccessPoint, accessPointCapabilities } from '../../../../test/conformance/peer/access-point.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

async function connected(more: Parameters<typeof accessPoint>[1] = {}): Promise<AccessPoint> {
  const device = accessPoint(await enrol(server, owner), more);
  await device.connect();
  await listedAs(server, owner, device.options.serial, { status: 'online' });
  return device;
}

interface Job {
  status: string;
  items: { serial: string; status: string; reason: string | null }[];
}

async function job(id: string): Promise<Job> {
  return (await server.call<Job>('/api/v3/job/detail', { job_id: id }, owner)).data;
}

async function itemOf(id: string): Promise<Job['items'][number] | undefined> {
  return (await job(id)).items[0];
}

describe('a restart', () => {
  it('has succeeded when the device is back, and shows "restarting" until then', async () => {
    const device = await connected({ actionMs: 50 });
    const { serial } = device.options;
    const answer = await server.call<{ job_id: string }>('/api/v3/ap/reboot', { serials: [serial] }, owner);
    expect(answer.code).toBe(2000);
    await device.command('reboot');
    await device.until('the restart', () => device.socket === null);
    await listedAs(server, owner, serial, { status: 'restarting' });
    await expect
      .poll(() => itemOf(answer.data.job_id))
      .toMatchObject({ status: 'waiting_offline', reason: 'job.restarting', cancellable: false });
    await device.connect();
    await listedAs(server, owner, serial, { status: 'online' });
    await expect
      .poll(() => job(answer.data.job_id))
      .toMatchObject({ status: 'succeeded', items: [{ status: 'succeeded' }] });
    const { data } = await server.call<DataOf<typeof contract.apDetail>>('/api/v3/ap/detail', { serial }, owner);
    expect(data.restart_reason).toBe('reboot');
  });

  it('of an offline device is refused with 4102, or waits for it when asked to', async () => {
    const device = await connected({ actionMs: 20 });
    const { serial } = device.options;
    await device.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
    const refused = await server.call('/api/v3/ap/reboot', { serials: [serial] }, owner);
    expect(refused).toMatchObject({ status: 200, code: 4102, data: { queue_allowed: true } });
    const queued = await server.call<{ job_id: string }>(
      '/api/v3/ap/reboot',
      { serials: [serial], queue: true },
      owner,
    );
    await expect
      .poll(() => itemOf(queued.data.job_id))
      .toMatchObject({ status: 'waiting_offline', reason: 'job.offline', cancellable: true });
    await device.connect();
    await device.command('reboot');
    await device.until('the restart', () => device.socket === null);
    await device.connect();
    await expect.poll(() => job(queued.data.job_id)).toMatchObject({ status: 'succeeded' });
  });

  it('of networks without devices is refused, also for later', async () => {
    const mine = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Empty' }, mine);
    for (const queue of [true, false]) {
      const answer = await server.call('/api/v3/network/reboot', { gwids: [data.gwid], queue }, mine);
      expect(answer).toMatchObject({
        status: 200,
        code: 4102,
        message: 'There is no device yet',
        data: { queue_allowed: false },
      });
    }
    expect((await server.call('/api/v3/job/list', {}, mine)).data).toMatchObject({ total: 0 });
  });

  it('of a network without a gateway restarts its devices; those away are skipped', async () => {
    const mine = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Floor' }, mine);
    const here = accessPoint(await enrol(server, mine, { gwid: data.gwid }), { actionMs: 20 });
    await enrol(server, mine, { gwid: data.gwid });
    await here.connect();
    await listedAs(server, mine, here.options.serial, { status: 'online' });
    const answer = await server.call<{ job_id: string }>('/api/v3/network/reboot', { gwids: [data.gwid] }, mine);
    await here.until('the restart', () => here.socket === null);
    await here.connect();
    await expect
      .poll(async () =>
        (await server.call<Job>('/api/v3/job/detail', answer.data, mine)).data.items.map((item) => item.status).sort(),
      )
      .toEqual(['skipped', 'succeeded']);
  });

  it('of a device that is unbound meanwhile ends as cancelled', async () => {
    const device = await connected();
    const { serial } = device.options;
    await device.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
    const queued = await server.call<{ job_id: string }>(
      '/api/v3/ap/reboot',
      { serials: [serial], queue: true },
      owner,
    );
    await expect.poll(() => itemOf(queued.data.job_id)).toMatchObject({ status: 'waiting_offline' });
    await server.call('/api/v3/device/unbind', { serial }, owner);
    await expect.poll(() => itemOf(queued.data.job_id)).toMatchObject({ status: 'cancelled', reason: 'job.unbound' });
  });
});

describe('a short command', () => {
  it('reaches the device and leaves its row in the log', async () => {
    const device = await connected();
    const { serial } = device.options;
    expect((await server.call('/api/v3/ap/blink', { serial, seconds: 20 }, owner)).code).toBe(2000);
    expect((await device.command('leds')).params).toMatchObject({ serial, pattern: 'blink', duration: 20 });
    const { data } = await server.call<{ list: { action: string; object: { id: string } }[] }>(
      '/api/v3/log/action/list',
      {},
      owner,
    );
    expect(data.list[0]).toMatchObject({ action: 'device.blink', object: { id: serial } });
  });

  it('for a fresh report gets one even from firmware that lost its request service', async () => {
    const device = await connected();
    const { serial } = device.options;
    expect((await server.call('/api/v3/device/refresh', { serial }, owner)).code).toBe(2000);
    await device.command('request');
    const { params } = await device.command('script');
    expect(Buffer.from(String(params?.script), 'base64').toString()).toContain('state.uc');
  });

  it('holds no connection to the database while it waits for its device', async () => {
    const { serial } = await enrol(server, owner);
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let asked = 0;
    const release = server.program.bus.respond(`dev.${owner.accountId}.${serial}.rpc`, async () => {
      asked += 1;
      await answered;
      return { serial, uuid: 1, status: { error: 0, text: 'Success' } };
    });
    // more than the pool has
    const waiting = Array.from({ length: 12 }, () => server.call('/api/v3/ap/blink', { serial, seconds: 5 }, owner));
    await expect.poll(() => asked).toBe(waiting.length);
    expect((await server.call('/api/v3/network/list', {}, owner)).code).toBe(2000);
    answer();
    expect((await Promise.all(waiting)).map(({ code }) => code)).toEqual(waiting.map(() => 2000));
    release();
  });

  it('to an offline device answers 4102, and nothing is logged', async () => {
    const { serial } = await enrol(server, owner);
    for (const [path, body] of [
      ['/api/v3/ap/blink', { serial, seconds: 5 }],
      ['/api/v3/device/refresh', { serial }],
    ] as const) {
      expect(await server.call(path, body, owner)).toMatchObject({ code: 4102, data: { queue_allowed: false } });
    }
    const { data } = await server.call<{ list: { action: string; object: { id: string } }[] }>(
      '/api/v3/log/action/list',
      { object_id: serial },
      owner,
    );
    expect(data.list.map((row) => row.action)).toEqual(['device.bind']);
  });
});

describe('messages of a device', () => {
  it('is kept as events: its own, crashes and changes of its health, but not its terminals', async () => {
    const device = await connected();
    const { serial } = device.options;
    device.event('client.join', { client: '02:00:00:00:00:01', ssid: 'Lobby' });
    device.event('wired.carrier-down', { name: 'LAN1' }, 0);
    device.notify('rebootLog', { serial, uuid: 1, type: 'crashlog', date: 1_790_000_000, info: ['oops \u0000 here'] });
    device.notify('healthcheck', { serial, uuid: 1, sanity: 80, data: { unit: { memory: 95 } } });
    device.notify('healthcheck', { serial, uuid: 1, sanity: 80, data: { unit: { memory: 95 } } });
    device.notify('healthcheck', { serial, uuid: 1, sanity: 100, data: {} });
    const events = async () => {
      const { data } = await server.call<DataOf<typeof contract.apDetail>>('/api/v3/ap/detail', { serial }, owner);
      return data.events.map((event) => event.type).reverse();
    };
    await expect.poll(events).toEqual(['wired.carrier-down', 'rebootLog', 'healthcheck', 'healthcheck']);
  });

  it('may be in letters that a database does not take', async () => {
    const odd = 'EAP \u0000 \ud83d 102';
    const device = accessPoint(await enrol(server, owner), {
      firmware: odd,
      capabilities: { ...accessPointCapabilities, model: odd, note: odd },
    });
    await device.connect();
    const row = await listedAs(server, owner, device.options.serial, { status: 'online' });
    expect(row.model).toContain('EAP');
  });

  it('includes why a switch started, which it says in an event', async () => {
    const device = switchOf(await enrol(server, owner), { bootCause: 'power-on' });
    await device.connect();
    const { serial } = device.options;
    await listedAs(server, owner, serial, { status: 'online', kind: 'switch' });
    await expect
      .poll(async () => (await server.call('/api/v3/ap/detail', { serial }, owner)).data)
      .toMatchObject({ restart_reason: 'power-on' });
  });

  it('shows radios and addresses of its latest report, which stay when it goes, dated', async () => {
    const device = await connected();
    const { serial } = device.options;
    device.state({
      version: 1,
      unit: { uptime: 3600, memory: { total: 1000, free: 400, cached: 100, buffered: 0 } },
      radios: [
        {
          channel: 36,
          channel_width: 80,
          tx_power: 20,
          band: ['5G'],
          frequency: [5180],
          survey: [{ frequency: 5180, noise: -95 }],
        },
      ],
      interfaces: [
        {
          name: 'up0v0',
          ipv4: { addresses: ['192.168.1.20/24'] },
          ssids: [
            {
              ssid: 'Lobby',
              band: '5G',
              radio: { $ref: '#/radios/0' },
              associations: [{ station: '02:00:00:00:00:01' }],
            },
          ],
        },
      ],
    });
    const detail = async () =>
      (await server.call<DataOf<typeof contract.apDetail>>('/api/v3/ap/detail', { serial }, owner)).data;
    const shown = {
      lan_ip: '192.168.1.20',
      running_time: 3600,
      mem_used: 500,
      online_user: 1,
      radios: [{ band: '5G', channel: 36, width: 80, power_dbm: 20, noise_dbm: -95, clients: 1, ssids: ['Lobby'] }],
    };
    await expect.poll(detail).toMatchObject(shown);
    const { as_of } = await detail();
    await device.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
    expect(await detail()).toMatchObject({ ...shown, as_of, online_since: null });
  });
});
