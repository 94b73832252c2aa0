import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logged } from './lab.ts';
import { type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';
import { otherHost } from './other-host.ts';

/** Replaces a broken gateway, as j5-replace.test.ts does, on a real one. */

/** Seconds until a cut-off host runs its previous configuration. */
const returnsWithin = 300;
const fourSockets = { WAN1: 'wan1', WAN2: 'wan2', LAN1: 'lan1', LAN2: 'lan2' };

let labConsole: LabConsole;
let gwid = '';
let serial = '';
let kept = '';
let wanted: Settings;
labFixture(async (own) => {
  labConsole = own(await startLabConsole({ dhcpOnWans: true }));
  gwid = '';
});

type Settings = Record<string, unknown> & { lines: object[]; networks: object[]; forwards: object[] };
interface Got {
  version: number;
  settings: Settings;
}
interface Check {
  base: string;
  port_map: { from: string; to: string | null }[];
  not_restored: { what: string; params: object }[];
  returns_within_s: number | null;
}
const get = async () => (await labConsole.ask<Got>('/api/v3/network/gateway/get', { gwid })).data;
const save = async (settings: Settings) => {
  const { version } = await get();
  const saved = await labConsole.ask<{ job_id: string }>('/api/v3/network/gateway/save', { gwid, version, settings });
  await labConsole.applied(saved.data.job_id);
};
const restores = async () =>
  (
    await labConsole.ask<{ list: { status: string; snapshot_id: string }[] }>('/api/v3/cloud_backup/restore/list', {
      gwid,
    })
  ).data.list;
const rules = () => labConsole.lab.run('gw', 'nft', 'list', 'ruleset');
const inSession = () =>
  (JSON.parse(readFileSync(join(labConsole.folder, 'run/yunxun-edge/status.json'), 'utf8')) as { online: boolean })
    .online;
const serialIn = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8')) as { serial: string }).serial;

const lan = (name: string, port: string, net: string, leases: object[]) => ({
  name,
  address: `${net}.1/24`,
  vlan: null,
  ports: [port],
  tagged: [],
  leases,
  pool: { first: `${net}.100`, count: 20, lease_minutes: 10 },
});

async function configured(): Promise<void> {
  if (gwid !== '') return;
  const { ask, folder, lab, owner } = labConsole;
  gwid = (await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' })).data.gwid;
  await ask('/api/v3/network/update', { gwid, remark: 'Shop', tags: ['Hotel'] });
  mkdirSync(join(folder, 'etc/yunxun-edge'), { recursive: true });
  writeFileSync(join(folder, 'etc/yunxun-edge/ports.json'), JSON.stringify(fourSockets));
  await lab.run('gw', 'sh', '-c', labConsole.line(owner.bindingCode, gwid));
  serial = serialIn(folder);
  labConsole.startAgent();
  await labConsole.online(serial);

  const { settings } = await get();
  const line = { dns: [], down_mbps: null, up_mbps: null, probe: [] };
  wanted = {
    ...settings,
    confirm_s: 30,
    lines: [
      { ...line, name: 'WAN', port: 'WAN1', addressing: 'dynamic', address: null, gateway: null },
      {
        ...line,
        name: 'Second',
        port: 'WAN2',
        addressing: 'static',
        address: '203.0.113.9/24',
        gateway: '203.0.113.1',
        dns: ['192.0.2.53'],
      },
    ],
    networks: [
      lan('Office', 'LAN1', '10.7.0', [{ mac: lab.mac('a'), address: '10.7.0.20', note: 'Camera' }]),
      lan('Guest', 'LAN2', '10.8.0', []),
    ],
    forwards: [{ note: 'Camera', protocol: 'tcp', port: '8081', address: '10.7.0.20', to_port: '80' }],
  };
  await save(wanted);
  const { data } = await ask<{ made: { id: string }[] }>('/api/v3/cloud_backup/create', { gwids: [gwid] });
  kept = data.made[0]!.id;
  await save({ ...wanted, forwards: [] });
}

it('a restore that cuts the link is rolled back by the gateway, reported, and restored', async () => {
  await configured();
  const { ask, lab } = labConsole;
  const before = await rules();
  expect(before).not.toContain('8081');
  const { data: reported } = await ask<Check>('/api/v3/cloud_backup/restore_check', {
    id: kept,
    sections: ['gateway'],
  });
  expect(reported.returns_within_s).toBeLessThanOrEqual(returnsWithin);

  // the open session delivers the configuration and is then cut
  await lab.run(
    'net',
    'nft',
    'add table ip shut; add chain ip shut forward { type filter hook forward priority 0; }; add rule ip shut forward oifname "host" tcp flags & (syn | ack) == syn drop',
  );
  // the open session becomes half-open
  const open = await lab.run('gw', 'ss', '-Htn', 'state', 'established', 'dst', lab.console!);
  const ports = [...open.matchAll(/:(\d+)\s+\S+:\d+\s*$/gm)].map(([, port]) => port);
  expect(ports.length).toBeGreaterThan(0);
  const { data: restored } = await ask<{ job_id: string }>('/api/v3/cloud_backup/restore', {
    id: kept,
    sections: ['gateway'],
    base: reported.base,
  });
  await expect.poll(rules, { timeout: 60_000, interval: 50 }).toContain('8081');
  const tried = performance.now();
  await lab.run('net', 'ip', 'link', 'set', 'host', 'down');
  await expect.poll(rules, { timeout: returnsWithin * 1000, interval: 250 }).not.toContain('8081');
  expect((performance.now() - tried) / 1000).toBeLessThan(returnsWithin);
  expect(await lab.lease('a')).toMatchObject({ address: '10.7.0.20', router: '10.7.0.1' });
  await expect.poll(() => lab.page(), slowly).toBe(200);

  // the report went into the half-open session
  await expect.poll(inSession, slowly).toBe(false);
  await lab.run(
    'net',
    'nft',
    `add table ip dead; add chain ip dead forward { type filter hook forward priority 0; }; add rule ip dead forward oifname "host" tcp sport { ${ports.join(', ')} } drop`,
  );

  await lab.run('net', 'ip', 'link', 'set', 'host', 'up');
  await lab.run('net', 'nft', 'delete', 'table', 'ip', 'shut');
  const items = async () =>
    (await ask<{ items: { status: string }[] }>('/api/v3/job/detail', { job_id: restored.job_id })).data.items;
  await expect.poll(items, slowly).toMatchObject([{ status: 'reverted' }]);
  expect(await restores()).toMatchObject([{ status: 'rolled_back' }]);

  await lab.run('net', 'nft', 'delete', 'table', 'ip', 'dead');

  const body = { id: (await restores())[0]!.snapshot_id, sections: ['gateway'] };
  const { data: back } = await ask<{ job_id: string }>('/api/v3/cloud_backup/restore', body);
  await labConsole.applied(back.job_id);
  expect((await get()).settings.forwards).toEqual([]);
});

it('a smaller box takes its place and runs the backup, but for what has no socket', async () => {
  await configured();
  const { ask, lab, owner, url } = labConsole;
  await otherHost(lab, ['wan1', 'lan1']);
  await lab.run('gw', 'ip', 'link', 'set', 'wan1', 'up');
  await lab.run('gw', 'ip', 'addr', 'add', '198.51.100.9/24', 'dev', 'wan1');
  await lab.run('gw', 'ip', 'route', 'add', 'default', 'via', '198.51.100.1');
  const folder = mkdtempSync(join(tmpdir(), `${lab.prefix}-other-`));
  try {
    for (const part of ['tmp', 'run/yunxun-edge']) mkdirSync(join(folder, part), { recursive: true });
    const line = `curl -fsS ${url}/enroll.sh | ENROLL_ROOT=${folder} sh -s -- ${owner.bindingCode}`;
    await lab.run('gw', 'sh', '-c', line);
    const fresh = serialIn(folder);
    expect(fresh).not.toBe(serial);
    const env = { YUNXUN_EDGE_ROOT: folder, YUNXUN_EDGE_NODE: process.execPath };
    lab.start('gw', join(folder, 'usr/lib/yunxun-edge/launch'), ['run'], { env });
    await labConsole.online(fresh);

    const offered = async () =>
      (await ask<{ list: { serial: string; ports: string[] }[] }>('/api/v3/ap/successors', { serial })).data.list;
    await expect.poll(offered, slowly).toMatchObject([{ serial: fresh, ports: ['WAN1', 'LAN1'] }]);
    await ask('/api/v3/ap/replace', { serial, by: fresh, delete_empty: true });
    const target = { id: kept, sections: ['gateway'] };
    const { data: reported } = await ask<Check>('/api/v3/cloud_backup/restore_check', target);
    expect(reported.port_map).toEqual([
      { from: 'WAN1', to: 'WAN1' },
      { from: 'WAN2', to: null },
      { from: 'LAN1', to: 'LAN1' },
      { from: 'LAN2', to: null },
    ]);
    expect(reported.not_restored).toContainEqual({ what: 'line_dropped', params: { name: 'Second', port: 'WAN2' } });
    expect(reported.not_restored).toContainEqual({ what: 'network_dropped', params: { name: 'Guest' } });
    const { base, port_map } = reported;
    // the open session becomes half-open
    const open = await lab.run('gw', 'ss', '-Htn', 'state', 'established', 'dst', lab.console!);
    const ports = [...open.matchAll(/:(\d+)\s+\S+:\d+\s*$/gm)].map(([, port]) => port);
    expect(ports.length).toBeGreaterThan(0);
    const { data: restored } = await ask<{ job_id: string }>('/api/v3/cloud_backup/restore', {
      ...target,
      base,
      port_map,
    });
    await labConsole.applied(restored.job_id);

    // except for ports that the new host lacks
    expect((await get()).settings).toEqual({
      ...wanted,
      lines: wanted.lines.slice(0, 1),
      networks: wanted.networks.slice(0, 1),
    });
    const { data: network } = await ask<object>('/api/v3/network/detail', { gwid });
    expect(network).toMatchObject({ remark: 'Shop', tags: ['Hotel'], sn: fresh });
    expect(await lab.lease('a')).toMatchObject({ address: '10.7.0.20', router: '10.7.0.1' });
    await expect.poll(() => lab.page(), slowly).toBe(200);
    const answers = join(import.meta.dirname, 'peer.mjs');
    await logged(lab.start('a', process.execPath, [answers, '0.0.0.0', '-', '-']), 'ready');
    const outside = await lab.run('gw', 'ip', '-4', '-o', 'addr', 'show', 'dev', 'wan1');
    const address = /inet (198\.51\.100\.\d+)/.exec(outside)?.[1] ?? '';
    await expect
      .poll(() => lab.call('net', { url: `http://${address}:8081/whoami`, timeoutS: 5 }).catch(() => null), slowly)
      .toMatchObject({ status: 200 });
  } finally {
    // after their writers
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
});
