import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { type WanStates, withWans } from '../../../packages/edge/src/apply/wans.ts';
import { type Facts, readDocument } from '../../../packages/edge/src/document/index.ts';
import { emptyPlan, type Plan, render } from '../../../packages/edge/src/render/index.ts';
import { type Lab, logged, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';
import { steadyRate } from './rate.ts';

let lab: Lab;
let running: Plan = emptyPlan;
const answers = join(import.meta.dirname, 'peer.mjs');

labFixture(async (own) => {
  lab = own(await startLab({ ports: [9000] }));
  running = emptyPlan;
  await become(plan());
  await lab.lease('a');
  await lab.lease('b');
  for (const where of ['a', 'b'] as const)
    await logged(lab.start(where, process.execPath, [answers, '0.0.0.0', '-', '-']), 'ready');
});

/** Untagged: the kernel may lack VLANs. */
const guest = {
  name: 'Guest',
  role: 'downstream',
  vlan: { id: 20 },
  ethernet: [{ 'select-ports': ['LAN2'], 'vlan-tag': 'un-tagged' }],
  ipv4: {
    addressing: 'static',
    subnet: '10.2.0.1/24',
    dhcp: { 'lease-start': '10.2.0.100', 'lease-end': '10.2.0.150', 'lease-time': '1h' },
  },
};

function plan(section: Record<string, unknown> = {}, lanPorts = 'LAN1'): Plan {
  for (const name of ['run', 'state']) mkdirSync(join(lab.folder, name), { recursive: true });
  const wan = (name: string, port: string, net: string) => ({
    name,
    role: 'upstream',
    ethernet: [{ 'select-ports': [port] }],
    ipv4: { addressing: 'static', subnet: `${net}.2/24`, gateway: `${net}.1`, 'use-dns': ['192.0.2.53'] },
  });
  const forward = { protocol: 'tcp', 'internal-address': '10.1.0.20' };
  const document = {
    interfaces: [
      wan('Fibre', 'WAN1', '198.51.100'),
      wan('Cable', 'WAN2', '203.0.113'),
      {
        name: 'LAN',
        role: 'downstream',
        ethernet: [{ 'select-ports': [lanPorts] }],
        ipv4: {
          addressing: 'static',
          subnet: '10.1.0.1/24',
          dhcp: { 'lease-first': 100, 'lease-count': 50, 'lease-time': '1h' },
          'dhcp-leases': [{ macaddr: lab.mac('a'), 'static-lease-offset': 20 }],
          'port-forward': [
            { ...forward, 'external-port': 8081, 'internal-port': 80 },
            { ...forward, 'external-port': '8100-8180', 'internal-port': '8000-8080' },
          ],
        },
      },
      ...(lanPorts === 'LAN1' ? [guest] : []),
    ],
    'third-party': { yunxun: section },
  };
  const facts: Facts = {
    ports: { WAN1: 'wan1', WAN2: 'wan2', LAN1: 'lan1', LAN2: 'lan2' },
    abilities: { vlan: false, shaping: true, ifb: true, fqCodel: false, dhcpClient: true, dnsmasq: true },
    folders: { run: join(lab.folder, 'run'), state: join(lab.folder, 'state') },
  };
  const read = readDocument(document, facts);
  if ('refused' in read) throw new Error(read.refused.join('\n'));
  return render(read.document, facts);
}

async function become(next: Plan, lines: WanStates = {}): Promise<void> {
  const after = withWans(next, lines);
  const file = join(lab.folder, 'plans.json');
  writeFileSync(file, JSON.stringify({ before: running, after, run: join(lab.folder, 'run') }));
  const program = resolve(import.meta.dirname, 'plan-program.ts');
  await lab.run('gw', process.execPath, '--import', import.meta.resolve('tsx'), program, file);
  running = after;
}

const reaches = async (where: 'a' | 'b' | 'net', url: string) => {
  const words = [process.execPath, join(import.meta.dirname, 'caller.mjs'), JSON.stringify({ url, timeoutS: 4 })];
  return (await lab.try(where, ...(words as [string, string, string]))).code === 0;
};

it('gives the address that is kept, names, and a way out through NAT', async () => {
  expect(await lab.lease('a')).toMatchObject({ address: '10.1.0.20', router: '10.1.0.1', dns: '10.1.0.1' });
  expect((await lab.lease('b')).address).toMatch(/^10\.2\.0\.1[0-5]\d$/);
  const got = await lab.call('a', { url: 'http://www.example.com/whoami', resolver: '10.1.0.1' });
  expect(got).toMatchObject({ status: 200, text: '198.51.100.2', address: '192.0.2.10' });
});

it('forwards ports from outside and from inside, a range with other numbers too', async () => {
  const from = { timeoutS: 20 };
  for (const [where, asker] of [
    ['net', '198.51.100.1'],
    ['a', '10.1.0.1'],
    ['b', '10.2.0.'],
  ] as const) {
    for (const port of [8081, 8180]) {
      const { text } = await lab.call(where, { url: `http://198.51.100.2:${port}/whoami`, ...from });
      expect(text, `${where} ${port}`).toContain(asker);
    }
  }
  expect((await lab.call('net', { url: 'http://203.0.113.2:8081/whoami', ...from })).status).toBe(200);
});

it('keeps networks apart and is closed to the outside', async () => {
  await logged(lab.start('gw', process.execPath, [answers, '0.0.0.0', '-', '-']), 'ready');
  const b = (await lab.lease('b')).address;
  await expect.poll(() => reaches('a', 'http://10.1.0.1:8080/')).toBe(true);
  await expect.poll(() => reaches('a', 'http://192.0.2.10/')).toBe(true);
  await expect.poll(() => reaches('b', 'http://192.0.2.10/')).toBe(true);
  expect(await reaches('net', 'http://198.51.100.2:8080/')).toBe(false);
  expect(await reaches('b', 'http://10.2.0.1:8080/')).toBe(false);
  expect(await reaches('b', 'http://10.1.0.1:8080/')).toBe(false);
  expect(await reaches('b', 'http://10.1.0.20/')).toBe(false);
  expect(await reaches('a', `http://${b}/`)).toBe(false);
  expect((await lab.try('net', 'ping', '-c', '1', '-W', '2', '198.51.100.2')).code).toBe(0);
  const asked = await lab.call('b', { url: 'http://www.example.com/', resolver: '10.2.0.1' });
  expect(asked.status).toBe(200);
});

it('moves new connections to the other line when one is lost, and back', async () => {
  const asks = async () => (await lab.call('a', { url: 'http://192.0.2.10/whoami' })).text;
  const [fibre] = running.lines;
  expect(await asks()).toContain('198.51.100.2');
  await become(plan(), { [fibre!.device]: { lease: null, alive: false } });
  expect(await asks()).toContain('203.0.113.2');
  expect((await lab.try('gw', 'ping', '-c', '1', '-W', '2', '-I', '198.51.100.2', '192.0.2.10')).code).toBe(0);
  await become(plan());
  expect(await asks()).toContain('198.51.100.2');
});

/** Returns kbit/s over seconds, by the receiver's counters (headers included). */
async function rate(where: 'a' | 'b', direction: 'down' | 'up', kbps: number): Promise<number> {
  const bytes = Math.round((kbps * 1000 * 5) / 8);
  const device = where === 'a' ? 'lan1' : 'lan2';
  const count = () => {
    const { rxBytes, txBytes } = lab.device('gw', device);
    return direction === 'down' ? txBytes : rxBytes;
  };
  const call =
    direction === 'down' ? { url: `http://192.0.2.10/bytes/${bytes}` } : { url: 'http://192.0.2.10/', post: bytes };
  return steadyRate(kbps, async () => {
    const before = count();
    const { ms } = await lab.call(where, { ...call, timeoutS: 60 });
    return ((count() - before) * 8) / ms;
  });
}

it('holds rates within 15 percent: of a terminal by its MAC, of a network, of a line', async () => {
  await become(
    plan({
      limits: [
        { name: 'a', of: { mac: lab.mac('a') }, down_kbps: 8000, up_kbps: 4000 },
        { name: 'guests', of: { interface: 'Guest' }, down_kbps: 12_000, up_kbps: 6000 },
      ],
    }),
  );
  const wanted = { a: { down: 8000, up: 4000 }, b: { down: 12_000, up: 6000 } } as const;
  for (const where of ['a', 'b'] as const)
    for (const direction of ['down', 'up'] as const) {
      const kbps = wanted[where][direction];
      expectNear(await rate(where, direction, kbps), kbps, `${where} ${direction}`);
    }

  await become(
    plan({
      lines: [{ interface: 'Fibre', down_kbps: 20_000, up_kbps: 10_000 }],
      limits: [{ name: 'a', of: { address: '10.1.0.20' }, down_kbps: 5000 }],
    }),
  );
  expectNear(await rate('b', 'down', 20_000), 20_000, 'line down');
  expectNear(await rate('b', 'up', 10_000), 10_000, 'line up');
  expectNear(await rate('a', 'down', 5000), 5000, 'address down');
});

function expectNear(measured: number, wanted: number, what: string): void {
  expect(measured, what).toBeGreaterThan(wanted * 0.85);
  expect(measured, what).toBeLessThan(wanted * 1.15);
}

it('bridges the sockets of one network', async () => {
  await become(plan({ limits: [{ name: 'b', of: { mac: lab.mac('b') }, down_kbps: 6000, up_kbps: 3000 }] }, 'LAN*'));
  const b = (await lab.lease('b')).address;
  expect(b).toMatch(/^10\.1\.0\./);
  await expect.poll(() => reaches('a', `http://${b}/`)).toBe(true);
  await expect.poll(() => reaches('b', 'http://198.51.100.2:8081/')).toBe(true);
  for (const [direction, kbps] of [
    ['down', 6000],
    ['up', 3000],
  ] as const)
    expectNear(await rate('b', direction, kbps), kbps, `b ${direction}`);
});

it('leaves nothing of ours and all of others’ behind', async () => {
  const others = 'table inet others { chain c { type filter hook forward priority 10; policy accept; }; }';
  writeFileSync(join(lab.folder, 'others.nft'), others);
  await lab.run('gw', 'nft', '-f', join(lab.folder, 'others.nft'));
  await lab.run('gw', 'ip', 'route', 'add', '172.31.0.0/16', 'via', '10.1.0.9', 'table', '90');
  await become(plan({ routes: [{ to: '10.9.0.0/16', via: '10.1.0.7' }] }));
  expect(await lab.run('gw', 'ip', 'route')).toContain('10.9.0.0/16 via 10.1.0.7 dev lan1 proto 201');
  await become(emptyPlan);
  expect(await lab.run('gw', 'nft', 'list', 'tables')).toBe('table inet others\n');
  expect(await lab.run('gw', 'ip', 'link')).not.toContain('yx-');
  expect(await lab.run('gw', 'ip', 'rule')).not.toContain('201');
  expect(await lab.run('gw', 'ip', 'route', 'show', 'table', 'all')).not.toContain('proto 201');
  expect(await lab.run('gw', 'tc', 'qdisc')).not.toMatch(/htb|ingress/);
});
