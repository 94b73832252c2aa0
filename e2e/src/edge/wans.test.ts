import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type LabHost, startHost } from './host.ts';
import { type Lab, logged, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';
import { twoWans, wayOutOf } from './two-wans.ts';

let lab: Lab;
let host: LabHost;

labFixture(async (own) => {
  lab = own(await startLab({ console: true, dhcpOnWans: true }));
  host = own(await startHost(lab));
});

const wayOut = () => wayOutOf(lab);

async function configured(): Promise<void> {
  if (host.pid() !== null) return;
  await host.start();
  expect(await host.configure(twoWans(100)), host.log()).toMatchObject({ uuid: 100, status: { error: 0 } });
  await lab.lease('a');
  await expect.poll(wayOut).toMatch(/^198\.51\.100\./);
}

it('lines get their addresses by DHCP; the lost one gives way to the other, and takes over again', async () => {
  await configured();
  const named = () => lab.call('a', { url: 'http://www.example.com/whoami', resolver: '10.1.0.1' });
  await expect.poll(named).toMatchObject({ status: 200 });
  await expect.poll(() => lab.run('gw', 'ip', 'route', 'show', 'table', '202')).toContain('203.0.113.1');

  const moved = host.console.connected();
  await lab.wan(1, 'silent');
  await expect.poll(wayOut).toMatch(/^203\.0\.113\./);
  expect((await (await moved).message('connect')).params).toMatchObject({ uuid: 100, reason: 'socket' });
  const main = () => lab.run('gw', 'ip', 'route', 'show', 'table', 'main');
  await expect.poll(main).not.toContain('default via 198.51.100.1');
  await lab.wan(1, 'mended');
  await expect.poll(wayOut).toMatch(/^198\.51\.100\./);

  await lab.wan(1, 'carrier');
  await expect.poll(wayOut).toMatch(/^203\.0\.113\./);
  await lab.wan(1, 'mended');
  await expect.poll(wayOut).toMatch(/^198\.51\.100\./);
});

it('the agent restarts during a download: the connection survives, and no route changes', async () => {
  await configured();
  const call = { url: 'http://192.0.2.14/bytes/16000000', hold: 1_000_000, timeoutS: 240 };
  const loading = lab.start('a', process.execPath, [join(import.meta.dirname, 'caller.mjs'), JSON.stringify(call)]);
  let loaded = '';
  loading.stdout?.on('data', (part: Buffer) => {
    loaded += part.toString();
  });
  await logged(loading, 'held');
  const moves = lab.start('gw', 'ip', ['monitor', 'route']);
  let moved = '';
  moves.stdout?.on('data', (part: Buffer) => {
    moved += part.toString();
  });
  await host.end('SIGTERM');
  const session = await host.start();
  await session.message('state');
  moves.kill('SIGTERM');
  expect(moved).not.toContain('default');
  loading.stdin?.write('\n');
  await expect.poll(() => loaded).toContain('"bytes":16000000');
});

it('the agent ends and comes back without touching a lease', async () => {
  await configured();
  const addresses = () => lab.run('gw', 'ip', '-4', '-br', 'addr');
  const before = await addresses();
  await host.end('SIGTERM');
  expect(await addresses()).toBe(before);
  await expect.poll(wayOut).not.toBe('none');
  await host.start();
  expect(await addresses()).toBe(before);
});
