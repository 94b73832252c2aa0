import { expect, it } from 'vitest';
import { slowly } from '../edge/lab-console.ts';
import { labFixture } from '../edge/lab-fixture.ts';
import { type Fixture, startFixture } from './fixture.ts';

let fixture: Fixture;
let bound: { serial: string; gwid: string };
labFixture(async (own) => {
  fixture = own(await startFixture());
  await apt('dnsmasq');
});

interface Got {
  version: number;
  settings: Record<string, unknown>;
}
interface Previewed {
  devices: { effect: string; findings: { code: string; params: object }[] }[];
}

async function apt(name: string): Promise<void> {
  await fixture.machine.run(`apt-get -q update && apt-get -q -y --no-install-recommends install ${name}`);
}

async function wanted(change: object): Promise<Got> {
  const { data } = await fixture.ask<Got>('/api/v3/network/gateway/get', { gwid: bound.gwid });
  const ports = JSON.parse(await fixture.machine.run('cat /etc/yunxun-edge/ports.json')) as Record<string, string>;
  const port = Object.entries(ports).find(([, device]) => device === 'lan1')?.[0];
  const pool = { first: '10.7.0.100', count: 20, lease_minutes: 10 };
  const office = { name: 'Office', address: '10.7.0.1/24', vlan: null, ports: [port], tagged: [], leases: [], pool };
  const { take_port53: _saved, ...settings } = data.settings;
  return { version: data.version, settings: { ...settings, confirm_s: 30, networks: [office], ...change } };
}

async function findings(change: object = {}): Promise<object[]> {
  const { settings } = await wanted(change);
  const body = { gwid: bound.gwid, settings };
  const { data } = await fixture.ask<Previewed>('/api/v3/network/gateway/preview', body);
  return data.devices.flatMap((one) => one.findings).filter(({ code }) => code.startsWith('port53'));
}

async function previews(...expected: object[]): Promise<void> {
  await expect.poll(() => findings(), slowly).toEqual(expected.map((one) => expect.objectContaining(one) as unknown));
}

async function save(change: object = {}): Promise<{ status: string; reason: string | null }[]> {
  const body = { gwid: bound.gwid, ...(await wanted(change)) };
  const { data } = await fixture.ask<{ job_id: string }>('/api/v3/network/gateway/save', body);
  return fixture.finished(data.job_id);
}

async function stateOf(service: string): Promise<string[]> {
  const asked = `systemctl is-active ${service}; systemctl is-enabled ${service}`;
  return (await fixture.machine.try(asked)).stdout.trim().split('\n');
}

const untouched = ['active', 'enabled'];
const taken = ['inactive', 'disabled'];
const applied = [{ status: 'applied', reason: null }];
const about = (process: string) => ({ code: 'port53_in_use', params: { process, address: '0.0.0.0', port: 53 } });

async function lanWorks(): Promise<void> {
  expect(await fixture.lab.lease('a')).toMatchObject({ dns: '10.7.0.1' });
  await expect.poll(() => fixture.lab.page(), slowly).toBe(200);
}

// one life of one machine: a second machine would cost minutes
it('is left alone, taken with consent and given back', async () => {
  const { machine, lab, devicePort } = fixture;
  expect(await machine.run('ss -Hltun sport = :53')).toContain('0.0.0.0:53');
  bound = await fixture.bind();

  // named, and not pushed beside
  await previews(about('dnsmasq.service'));
  await expect(save()).rejects.toThrow('4114');
  expect(await stateOf('dnsmasq')).toEqual(untouched);

  // started since the last report
  await machine.run('systemctl stop dnsmasq');
  await previews();
  await machine.run('systemctl start dnsmasq');
  expect(await save()).toEqual([{ status: 'failed', reason: 'job.port53_in_use' }]);
  expect(await stateOf('dnsmasq')).toEqual(untouched);
  expect(await machine.run('busybox nslookup -type=a www.example.com 127.0.0.1')).toContain('192.0.2.10');
  expect(await machine.run('ip -br addr')).not.toContain('10.7.0.1');

  // the rollback gives it back
  const consent = { take_port53: true };
  await previews(about('dnsmasq.service'));
  expect(await findings(consent)).toMatchObject([{ code: 'port53_taken' }]);
  await lab.run('net', 'nft', 'add table ip shut; add chain ip shut on { type filter hook forward priority 0; }');
  await lab.run('net', 'nft', `add rule ip shut on tcp dport ${devicePort} ct state new drop`);
  const tried = save(consent);
  await expect.poll(() => stateOf('dnsmasq'), slowly).toEqual(taken);
  await expect.poll(() => stateOf('dnsmasq'), slowly).toEqual(untouched);
  await lab.run('net', 'nft', 'delete', 'table', 'ip', 'shut');
  expect(await tried).toMatchObject([{ status: expect.stringMatching(/^(rejected|reverted)$/) as unknown }]);
  await fixture.shows(bound.serial, 'online');

  await previews(about('dnsmasq.service'));
  expect(await save(consent)).toEqual(applied);
  expect(await stateOf('dnsmasq')).toEqual(taken);
  await lanWorks();
  await machine.reboot();
  await lanWorks();
  expect(await stateOf('dnsmasq')).toEqual(taken);
  await fixture.shows(bound.serial, 'online');

  // no LAN to serve
  expect(await save({ networks: [] })).toEqual(applied);
  expect(await stateOf('dnsmasq')).toEqual(untouched);
  expect(await machine.run('ss -Hltun sport = :53')).toContain('0.0.0.0:53');

  // another service, given back by hand before the agent is removed
  await machine.run('systemctl disable --now dnsmasq; mkdir -p /etc/unbound/unbound.conf.d');
  // no root key is installed
  const lines = 'server:\\n  interface: 0.0.0.0\\n  module-config: "iterator"\\n';
  await machine.run(`printf '${lines}' >/etc/unbound/unbound.conf.d/lab.conf`);
  await apt('unbound');
  await previews(about('unbound.service'));
  expect(await save(consent)).toEqual(applied);
  expect(await stateOf('unbound')).toEqual(taken);
  await lanWorks();
  const give = '/usr/lib/yunxun-edge/port53 give';
  expect(await machine.try(give)).toMatchObject({ code: 1, stderr: expect.stringContaining('yunxun-edge.service') });
  expect(await stateOf('unbound')).toEqual(taken);
  await machine.run(`systemctl disable --now yunxun-edge.service && ${give}`);
  expect(await stateOf('unbound')).toEqual(untouched);
});
