import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataOf, sdwan } from '@yunxun/contract';
import { expect } from 'vitest';
import { type Answer, expectDone, type Owner, post, register } from '../../../bench/lib/client.ts';
import { removeData, slowly, startConsole } from './lab-console.ts';
import { tail } from './lab-fixture.ts';
import { gatewayOf, type SdwanSites, type Site, siteNames, sites, startSdwanSites } from './sdwan-sites.ts';

export interface Gateway {
  gwid: string;
  serial: string;
  /** `YUNXUN_EDGE_ROOT` of its agent. */
  folder: string;
}

/** Console in the sites' internet; an enrolled gateway with settings at each. */
export interface SdwanConsole extends Pick<SdwanSites, 'run' | 'reaches' | 'pings'> {
  owner: Owner;
  dataDir: string;
  gateways: Readonly<Record<Site, Gateway>>;
  ask<T>(path: string, body?: object): Promise<Answer<T>>;
  call<T>(path: string, body: object): Promise<Answer<T>>;
  wg(site: Site, ...words: readonly string[]): Promise<string>;
  applied(jobId: string): Promise<void>;
  refresh(which?: readonly Site[]): Promise<void>;
  logText(): string;
  stop(): Promise<void>;
}

type Candidates = DataOf<typeof sdwan.candidateList>;

/** As measured; null: behind NAT. */
const publicIps: Readonly<Record<Site, string | null>> = { A: sites.A.wan, B: sites.B.wan, C: null, D: sites.D.wan };

export async function startSdwanConsole(): Promise<SdwanConsole> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  try {
    const lab = await startSdwanSites({ consoleInside: true });
    stops.push(() => lab.stop());
    const dataDir = mkdtempSync(join(tmpdir(), `${lab.prefix}-console-`));
    stops.push(() => removeData(dataDir));
    const { url, output } = await startConsole({ dataDir, address: lab.console, space: lab.spaceOf('net') }, stops);
    const owner = await register(url, dataDir);
    const call = <T>(path: string, body: object = {}) => post<T>(url, `/api/v3/${path}`, body, owner.token);
    const ask = <T>(path: string, body: object = {}) => expectDone(call<T>(path, body));
    const logs = {} as Record<Site, string>;
    const gateways = {} as Record<Site, Gateway>;
    const parts = { lab, url, owner, ask, logs };
    for (const site of siteNames) gateways[site] = await enrolGateway(site, parts);
    const applied = async (job_id: string) => {
      const items = async () =>
        (await ask<{ items: { status: string; reason: string | null }[] }>('job/detail', { job_id })).data.items;
      const isOpen = ({ status }: { status: string }) => ['queued', 'waiting_offline', 'running'].includes(status);
      await expect.poll(async () => (await items()).some(isOpen), slowly).toBe(false);
      expect((await items()).filter(({ status }) => status !== 'applied')).toEqual([]);
    };
    const refresh = async (which: readonly Site[] = siteNames) => {
      for (const site of which) await ask('device/refresh', { serial: gateways[site].serial });
    };
    await Promise.all(siteNames.map((site) => saveSettings(site, gateways[site], { ask, applied })));
    const joinable = async () => {
      await refresh();
      const { list } = (await ask<Candidates>('sdwan/candidate/list', { limit: 50 })).data;
      return siteNames.map((site) => {
        const found = list.find(({ key }) => key === gateways[site].gwid);
        return [site, found?.reason, found?.public_ip];
      });
    };
    await expect.poll(joinable, slowly).toEqual(siteNames.map((site) => [site, null, publicIps[site]]));
    return {
      owner,
      dataDir,
      gateways,
      ask,
      call,
      applied,
      refresh,
      stop,
      run: lab.run,
      reaches: lab.reaches,
      pings: lab.pings,
      wg: (site, ...words) => lab.run(site, ...ownSockets, gateways[site].folder, 'wg', ...words),
      logText: () =>
        [...siteNames.map((site) => `${site}:\n${tail(logs[site])}`), `the console:\n${tail(output(), 30)}`].join('\n'),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const ownSockets = ['unshare', '-m', 'sh', '-c', 'mount --bind "$0/wireguard" /run/wireguard && exec "$@"'] as const;

/** Configures like a distribution; enrols by the console's line. */
async function enrolGateway(
  site: Site,
  parts: Pick<SdwanConsole, 'owner' | 'ask'> & { lab: SdwanSites; url: string; logs: Record<Site, string> },
): Promise<Gateway> {
  const { lab, url, owner, ask, logs } = parts;
  const { gwid } = (await ask<{ gwid: string }>('network/create', { remark: `Site-${site}` })).data;
  const folder = join(lab.folder, site);
  mkdirSync('/run/wireguard', { recursive: true });
  for (const part of ['tmp', 'run/yunxun-edge', 'etc/yunxun-edge', 'wireguard'])
    mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'etc/yunxun-edge/ports.json'), JSON.stringify({ WAN1: 'wan1', LAN1: 'lan1' }));
  await lab.run(site, 'ip', 'addr', 'add', `${sites[site].wan}/24`, 'dev', 'wan1');
  await lab.run(site, 'ip', 'link', 'set', 'wan1', 'up');
  await lab.run(site, 'ip', 'route', 'add', 'default', 'via', gatewayOf(site));
  const line = `curl -fsS ${url}/enroll.sh | ENROLL_ROOT=${folder} sh -s -- ${owner.bindingCode} ${gwid}`;
  await lab.run(site, ...ownSockets, folder, 'sh', '-c', line);
  const identity = readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8');
  const { serial } = JSON.parse(identity) as { serial: string };
  const agent = lab.start(site, [...ownSockets, folder, join(folder, 'usr/lib/yunxun-edge/launch'), 'run'], {
    YUNXUN_EDGE_ROOT: folder,
    YUNXUN_EDGE_NODE: process.execPath,
  });
  logs[site] = '';
  for (const stream of [agent.stdout, agent.stderr])
    stream.on('data', (part: Buffer) => {
      logs[site] += part.toString('utf8');
    });
  return { gwid, serial, folder };
}

async function saveSettings(
  site: Site,
  { gwid, serial }: Gateway,
  { ask, applied }: Pick<SdwanConsole, 'ask' | 'applied'>,
): Promise<void> {
  const { wan, lan } = sites[site];
  const status = async () => (await ask<{ status: string }>('ap/detail', { serial })).data.status;
  await expect.poll(status, slowly).toBe('online');
  await ask('device/confirm', { serials: [serial] });
  const uplink = {
    name: 'WAN',
    port: 'WAN1',
    dns: ['192.0.2.53'],
    down_mbps: null,
    up_mbps: null,
    probe: [],
    addressing: 'static',
    address: `${wan}/24`,
    gateway: gatewayOf(site),
  };
  const network = {
    name: 'LAN',
    address: `${lan}.1/24`,
    vlan: null,
    ports: ['LAN1'],
    tagged: [],
    leases: [],
    pool: { first: `${lan}.100`, count: 50, lease_minutes: 60 },
  };
  const settings = { confirm_s: 60, lines: [uplink], networks: [network], forwards: [], routes: [], limits: [] };
  const wanted = { gwid, version: 0, settings: { ...settings, reboot: null } };
  await applied((await ask<{ job_id: string }>('network/gateway/save', wanted)).data.job_id);
}
