import { afterEach, expect, it, onTestFinished } from 'vitest';
import { natsServer, startNats } from '../src/platform/bus/testing/nats-server.ts';
import { accessPoint, endDevices, enrol, listed, listedAs } from './conformance/device-client.ts';
import { startTestServer, type TestServer } from './server.ts';

afterEach(endDevices);

const readinessOf = async (server: TestServer) => (await fetch(`${server.url}/readyz`)).json();

it.skipIf(!natsServer && !process.env.CI)(
  'goes on with a push that was made meanwhile once the bus is back',
  async () => {
    const first = await startNats();
    const server = await startTestServer({ config: { busUrl: first.url } });
    onTestFinished(() => server.stop());
    const owner = await server.register();
    const { gwid } = (await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'House' }, owner)).data;
    const identity = await enrol(server, owner, { gwid });
    const device = accessPoint(identity);
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    device.state({ interfaces: [{ name: 'up0v0' }], unit: { uptime: 60 } });
    await expect.poll(async () => (await listed(server, owner, identity.serial))?.as_of).toBeTruthy();

    await first.stop();
    await expect.poll(() => readinessOf(server)).toMatchObject({ status: 'not ready' });
    const ssid = {
      enabled: true,
      name: 'Lobby',
      security: 'psk2',
      key: 'welcome-2026',
      bands: ['2G', '5G'],
      vlan: null,
      hidden: false,
      isolate: false,
      maximum_clients: null,
      down_mbps: null,
      up_mbps: null,
    };
    const saved = await server.call<{ job_id: string }>(
      '/api/v3/network/wireless/save',
      { gwid, version: 0, ssids: [ssid], radios: [] },
      owner,
    );
    expect(saved.code).toBe(2000);
    const second = await startNats([], first.port);
    onTestFinished(() => second.stop());
    const items = async () =>
      (await server.call<{ items: { status: string }[] }>('/api/v3/job/detail', { job_id: saved.data.job_id }, owner))
        .data.items;
    await expect.poll(items).toMatchObject([{ status: 'applied' }]);
    expect(device.received.filter(({ command }) => command?.method === 'configure').length).toBeGreaterThan(0);
  },
);

it.skipIf(!natsServer && !process.env.CI)(
  'says at once that the bus is away, and gives the commands of jobs once it is back',
  async () => {
    const first = await startNats();
    const server = await startTestServer({ config: { busUrl: first.url } });
    onTestFinished(() => server.stop());
    const owner = await server.register();
    const identity = await enrol(server, owner);
    const device = accessPoint(identity);
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });

    await first.stop();
    const readiness = async () => (await fetch(`${server.url}/readyz`)).json();
    await expect
      .poll(readiness)
      .toMatchObject({ status: 'not ready', parts: { bus: expect.stringContaining('YUNXUN_BUS_URL') } });
    const blink = () => server.call('/api/v3/ap/blink', { serial: identity.serial, seconds: 3 }, owner);
    expect(await blink()).toMatchObject({ status: 503, code: 503 });
    const made = await server.call<{ job_id: string }>('/api/v3/ap/reboot', { serials: [identity.serial] }, owner);
    expect(made.code).toBe(2000);

    const second = await startNats([], first.port);
    onTestFinished(() => second.stop());
    await device.command('reboot');
    await expect.poll(readiness).toMatchObject({ status: 'ready' });
  },
);
