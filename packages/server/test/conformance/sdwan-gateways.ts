import type { DataOf, sdwan } from '@yunxun/contract';
import type { EdgeSdwanState } from '@yunxun/contract/device';
import { expect } from 'vitest';
import { eventually } from '../../../../tools/eventually.ts';
import { sdwanCalls } from '../../src/features/sdwan/testing/sdwan-fixture.ts';
import type { TestServer } from '../server.ts';
import { accessPoint, enrol, listedAs } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';

type Candidates = DataOf<typeof sdwan.candidateList>;

const yunxun = { agent: '3.4.1', abilities: { sdwan: true }, missing: [], allowed: { reboot: true, scripts: false } };
const capabilities = {
  platform: 'olg',
  compatible: 'yunxun_edge',
  model: 'Box',
  compress_cmd: true,
  yunxun,
  network: { WAN1: ['eth0'], LAN1: ['eth1'] },
};

export const keyOf = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
export const addressOf = (at: number): string => `198.51.100.${at + 1}`;

/** Makes an account with connected gateways, each at the head of its network, that can join an SD-WAN network. */
export async function connectGateways(server: TestServer, count: number) {
  const owner = await server.register();
  const devices: AccessPoint[] = [];
  const gwids: string[] = [];
  const { systemPool } = server.db.database;

  /** Sets the address that the console sees: these devices connect from 127.0.0.1, which no plan admits. */
  const setPublicAddress = (at: number, address: string) =>
    systemPool.query('update device set public_address = $2 where serial = $1', [devices[at]!.options.serial, address]);

  /** Seconds by which clocks of devices go on between reports: one that says the same as before is a repetition. */
  let clockSeconds = 0;
  function report(
    at: number,
    { key = keyOf(at + 1), address = addressOf(at), networks = [] as EdgeSdwanState['networks'] },
  ): void {
    const sdwan = { public_key: key, networks };
    clockSeconds += 10;
    devices[at]!.state({
      unit: { uptime: 9000 + clockSeconds, localtime: Math.floor(Date.now() / 1000) + clockSeconds },
      interfaces: [{ name: 'up0v0' }, { name: 'down1v0', ipv4: { addresses: ['10.7.0.1/24'] }, clients: [] }],
      yunxun: { lines: [{ interface: 'up0v0', address, alive: true }], sdwan: JSON.parse(JSON.stringify(sdwan)) },
    });
  }

  async function publicAddress(at: number): Promise<string | null> {
    const { data } = await server.call<Candidates>('/api/v3/sdwan/candidate/list', { limit: 50 }, owner);
    const found = data.list.find(({ key }) => key === gwids[at]);
    return found?.reason === null ? found.public_ip : null;
  }

  for (let at = 0; at < count; at += 1) {
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: `Site-${at}` }, owner);
    const identity = await enrol(server, owner, { gwid: data.gwid, platform: 'olg' });
    const device = accessPoint(
      { ...identity, port: server.program.devicePort! },
      { capabilities, firmware: 'Yunxun edge 3.4.1' },
    );
    await device.connect();
    await listedAs(server, owner, device.options.serial, { status: 'online', kind: 'gateway' });
    devices.push(device);
    gwids.push(data.gwid);
    await setPublicAddress(at, addressOf(at));
    report(at, {});
    await eventually(async () => expect(await publicAddress(at)).toBe(addressOf(at)));
  }
  const sites = gwids.map((gwid, at) => ({ gwid, serial: devices[at]!.options.serial, publicKey: keyOf(at + 1) }));
  return { owner, devices, gwids, setPublicAddress, report, ...sdwanCalls(server, owner, sites) };
}
