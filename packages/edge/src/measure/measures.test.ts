import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { emptyLayout, type LayoutWan } from './layout.ts';
import { createMeasures, type Measures } from './measures.ts';

let folder: string;
let measures: Measures;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'measures-'));
});

afterEach(() => {
  measures.stop();
  rmSync(folder, { recursive: true });
});

const devices = ['wan1', 'wan2'] as const;

async function judged(addresses: readonly [string, string]) {
  const asked: string[] = [];
  const alive: Record<string, boolean | null> = {};
  const shown = devices.map((ifname, at) => ({ ifname, addr_info: [{ local: addresses[at], prefixlen: 24 }] }));
  for (const device of devices) {
    mkdirSync(join(folder, 'class/net', device), { recursive: true });
    writeFileSync(join(folder, 'class/net', device, 'carrier'), '1\n');
  }
  const lines = devices.map(
    (device, at): LayoutWan => ({
      interface: `up${at}v0`,
      device,
      dns: [`9.9.9.${at}`],
      targets: [],
      everyS: 600,
      fails: 1,
      recovers: 1,
    }),
  );
  measures = createMeasures({
    clock: systemClock,
    ports: {},
    stateFolder: folder,
    sys: folder,
    proc: folder,
    async run(file, argv) {
      if (file === 'ping')
        return argv.includes('wan2') ? '64 bytes from 192.168.1.1: icmp_seq=1 ttl=64 time=4.5 ms' : null;
      if (argv.includes('addr')) return JSON.stringify(shown);
      if (!argv.includes('route')) return null;
      return JSON.stringify(devices.map((dev) => ({ dst: 'default', dev, gateway: '192.168.1.1' })));
    },
    async ask({ address }) {
      asked.push(address);
      return { code: 'EREFUSED' };
    },
  });
  measures.lines((wan) => {
    alive[wan.interface] = wan.alive;
  });
  measures.configured({ ...emptyLayout, lines });
  measures.start();
  return { asked, alive };
}

it('asks no DNS server of WANs with one subnet, because another WAN would answer', async () => {
  const { asked, alive } = await judged(['192.168.1.100', '192.168.1.101']);
  await expect.poll(() => alive.up0v0).toBe(false);
  expect(asked).toEqual([]);
});

it('asks the DNS servers of a WAN whose subnet is its own', async () => {
  const { asked } = await judged(['192.168.1.100', '192.168.2.100']);
  await expect.poll(() => asked).toEqual(['9.9.9.0']);
});

it('reports the WAN ports as the host has them, until the console configures it', async () => {
  measures = createMeasures({
    clock: systemClock,
    ports: { WAN1: 'wan1' },
    stateFolder: folder,
    sys: folder,
    proc: folder,
    resolvers: [],
    async run(_file, argv) {
      if (argv.includes('addr'))
        return JSON.stringify([{ ifname: 'wan1', addr_info: [{ local: '203.0.113.2', prefixlen: 29 }] }]);
      return argv.includes('route') ? JSON.stringify([{ dst: 'default', dev: 'wan1', gateway: '203.0.113.1' }]) : null;
    },
  });
  await measures.refresh();
  const wan = { port: 'WAN1', address: '203.0.113.2/29', gateway: '203.0.113.1', dynamic: false, dns: [] };
  expect(measures.state().yunxun.found).toEqual([wan]);
  const [up] = [{ name: 'up0v0', location: '/interfaces/0', role: 'upstream' as const, device: 'wan1', ports: [] }];
  measures.configured({ ...emptyLayout, interfaces: [up] });
  expect(measures.state().yunxun).not.toHaveProperty('found');
});
