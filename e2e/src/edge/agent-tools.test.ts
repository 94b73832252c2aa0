import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type LabHost, smallGateway, startHost } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { slowly } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';

let lab: Lab;
let host: LabHost;

labFixture(async (own) => {
  lab = own(await startLab({ console: true }));
  host = own(await startHost(lab));
  writeFileSync(join(host.folder, 'etc/yunxun-edge/options.json'), JSON.stringify({ reboot: true }));
});

async function configured(): Promise<void> {
  if (host.pid() !== null) return;
  await host.start();
  expect(await host.configure(smallGateway(100)), host.log()).toMatchObject({ uuid: 100, status: { error: 0 } });
}

interface Found {
  state: string;
  subnets: string[];
  hosts: { address: string; mac: string | null; ports: number[] }[];
}

interface Used {
  error: number;
  text: string;
  tool?: {
    output?: string;
    dns?: { server: string; error: string | null; answers: { type: string; value: string }[] }[];
    speed?: { error: string | null };
    scan?: Found;
  };
}

async function use(params: object): Promise<Used> {
  const session = await host.session();
  const reply = await session.command('yunxun.tool', { ...params }, 60_000);
  return (reply as unknown as { status: Used }).status;
}

it('pings and traces over the line that is named, without a script', async () => {
  await configured();
  const pinged = await use({ tool: 'ping', target: '192.0.2.10', count: 2, place: 'WAN1' });
  expect(pinged.tool?.output).toMatch(/2 packets transmitted, 2 (packets )?received/);
  const traced = await use({ tool: 'traceroute', target: '192.0.2.10', place: 'WAN1' });
  expect(traced.tool?.output).toMatch(/ 1 {2}192\.0\.2\.10 {2}[\d.]+ ms/);
  expect(await use({ tool: 'ping', target: '192.0.2.10', place: 'WAN2' })).toMatchObject({
    text: 'the interface has no address',
  });
});

it('asks the server that is named for a name', async () => {
  await configured();
  const asked = await use({ tool: 'dns', target: 'www.example.com', server: '192.0.2.53', place: 'WAN1' });
  expect(asked.tool?.dns).toMatchObject([
    { server: '192.0.2.53', error: null, answers: [{ type: 'A', value: '192.0.2.10' }] },
  ]);
  const unanswered = await use({ tool: 'dns', target: 'www.example.com', server: '192.0.2.200' });
  expect(unanswered.tool?.dns).toMatchObject([{ answers: [], error: expect.stringMatching(/^E/) }]);
});

/** Runs until it prints a line. @returns its further output */
async function inClient(script: string): Promise<() => string> {
  const child = lab.start('a', process.execPath, ['-e', script]);
  let output = '';
  child.stdout?.on('data', (part: Buffer) => {
    output += part.toString();
  });
  await expect.poll(() => output, slowly).toContain('ready');
  return () => output;
}

it('finds 60 hosts of its LAN with their open ports, and nothing beyond', async () => {
  await configured();
  await lab.run('a', 'ip', 'addr', 'flush', 'dev', 'eth0');
  const addresses = Array.from({ length: 60 }, (_none, at) => `10.1.0.${at + 21}`);
  for (const address of addresses) await lab.run('a', 'ip', 'addr', 'add', `${address}/24`, 'dev', 'eth0');
  await inClient(
    "const net = require('net'); net.createServer().listen(554, () => net.createServer().listen(80, () => console.log('ready')))",
  );
  expect(await use({ tool: 'scan', act: 'start', id: 's1' })).toMatchObject({ error: 0 });
  const read = async () => (await use({ tool: 'scan', act: 'read', id: 's1' })).tool?.scan;
  await expect.poll(async () => (await read())?.state, { timeout: 60_000, interval: 1000 }).toBe('done');
  const { subnets, hosts } = (await read())!;
  expect(subnets).toEqual(['10.1.0.0/24']);
  const mac = lab.mac('a').replaceAll(':', '');
  expect(hosts).toEqual(addresses.map((address) => ({ address, mac, hostname: null, ports: [80, 554] })));
});

it('broadcasts a Wake-on-LAN packet on its LAN', async () => {
  await configured();
  await lab.run('a', 'ip', 'addr', 'replace', '10.1.0.21/24', 'dev', 'eth0');
  const heard = await inClient(
    "const s = require('dgram').createSocket('udp4'); s.on('message', (m) => console.log(m.toString('hex'))); s.bind(9, () => console.log('ready'))",
  );
  expect(await use({ tool: 'wake', mac: '001b21000001' })).toMatchObject({ error: 0 });
  await expect.poll(heard, slowly).toContain(`ffffffffffff${'001b21000001'.repeat(16)}`);
});

it('restarts the box at its time, in the zone of the configuration, while the console is away', async () => {
  await configured();
  const zone = 'Asia/Shanghai';
  const soon = new Date(Date.now() + 90_000);
  const at = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(soon);
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const document = { ...smallGateway(101, { section: { reboot: { days, at } } }), unit: { timezone: zone } };
  expect(await host.configure(document), host.log()).toMatchObject({ uuid: 101, status: { error: 0 } });
  await lab.wan(1, 'silent');
  const asked = join(host.folder, 'run/yunxun-edge/reboot');
  expect(existsSync(asked)).toBe(false);
  await expect.poll(() => existsSync(asked), slowly).toBe(true);
  const minute = (time: Date) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(time);
  expect(minute(new Date())).toBe(at);
  await expect.poll(() => host.pid(), slowly).toBeNull();
});
