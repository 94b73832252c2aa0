import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logged } from './lab.ts';
import { type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';

const port = 9000;
/** Milliseconds from click to effect. */
const inForceWithin = 2000;
const program = join(import.meta.dirname, 'stream.mjs');

let labConsole: LabConsole;
let bound = false;
labFixture(async (own) => {
  labConsole = own(await startLabConsole({ dhcpOnWans: true }));
  bound = false;
});

function listen(where: 'a' | 'b', kind: 'tcp' | 'udp'): { times: number[]; child: ChildProcess } {
  const child = labConsole.lab.start(where, process.execPath, [program, 'listen', kind, '192.0.2.10', String(port)]);
  const times: number[] = [];
  child.stdout?.on('data', (part: Buffer) => times.push(...part.toString().trim().split('\n').map(Number)));
  return { times, child };
}

async function configured(): Promise<void> {
  if (bound) return;
  const { ask, folder, lab, owner } = labConsole;
  const { gwid } = (await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' })).data;
  await lab.run('gw', 'sh', '-c', labConsole.line(owner.bindingCode, gwid));
  const { serial } = JSON.parse(readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8')) as {
    serial: string;
  };
  labConsole.startAgent();
  await labConsole.online(serial);
  await labConsole.configure(gwid);
  for (const where of ['a', 'b'] as const) await lab.lease(where);
  await logged(lab.start('net', process.execPath, [program, 'serve', '192.0.2.10', String(port)]), 'ready');
  bound = true;
}

const macOf = (where: 'a' | 'b') => labConsole.lab.mac(where).replaceAll(':', '');
const inForce = async () =>
  (await labConsole.ask<{ managed: number; in_force: number }>('/api/v3/user_online/applied', {})).data;

it('blocks a client with a click, its open streams too, without affecting others', async () => {
  await configured();
  const { ask, lab } = labConsole;
  const streams = [listen('a', 'tcp'), listen('a', 'udp'), listen('b', 'tcp')];
  for (const { times } of streams) await expect.poll(() => times.length, slowly).toBeGreaterThan(20);
  const table = await lab.run('gw', 'nft', '-a', '-s', '-t', 'list', 'table', 'inet', 'yunxun');

  const clicked = Date.now();
  const { data } = await ask<{ job_id: string }>('/api/v3/user_online/block', { macs: [macOf('a')] });
  await labConsole.applied(data.job_id);
  const acknowledged = Date.now();
  expect(await inForce()).toMatchObject({ managed: 1, in_force: 1 });
  const [tcp, udp, other] = streams.map(({ times }) => times) as [number[], number[], number[]];
  const later = () => (other.at(-1) ?? 0) > acknowledged + inForceWithin;
  await expect.poll(later, slowly).toBe(true);
  const [lastTcp, lastUdp] = [tcp.at(-1)! - clicked, udp.at(-1)! - clicked];
  console.log(
    `blocked: TCP ${lastTcp} ms and UDP ${lastUdp} ms after the click, acknowledged ${acknowledged - clicked} ms`,
  );
  expect(Math.max(lastTcp, lastUdp)).toBeLessThan(inForceWithin);
  const since = other.filter((at) => at > clicked - 1000);
  const gaps = since.slice(1).map((at, index) => at - since[index]!);
  expect(Math.max(...gaps)).toBeLessThan(1000);
  // same handles: not recreated
  expect(await lab.run('gw', 'nft', '-a', '-s', '-t', 'list', 'table', 'inet', 'yunxun')).toBe(table);
  expect(await lab.page('a')).toBe(0);
  expect(await lab.page('b')).toBe(200);
  await expect(lab.lease('a', 3)).rejects.toThrow();
});

it('lets the client in again', async () => {
  await configured();
  const { ask, lab } = labConsole;
  await ask('/api/v3/user_online/block', { macs: [macOf('a')] });
  await expect.poll(() => lab.page('a'), slowly).toBe(0);
  const { data } = await ask<{ job_id: string }>('/api/v3/user_online/unblock', { macs: [macOf('a')] });
  await labConsole.applied(data.job_id);
  await lab.lease('a');
  expect(await lab.page('a')).toBe(200);
});
