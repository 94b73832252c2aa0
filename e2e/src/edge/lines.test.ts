import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LabBox, smallGateway, startBox } from './box.ts';
import { type Lab, startLab } from './lab.ts';

let lab: Lab;
let box: LabBox;

beforeAll(async () => {
  lab = await startLab({ console: true, dhcpOnLines: true });
  box = await startBox(lab);
});

afterAll(async () => {
  await box?.stop();
  await lab?.stop();
});

/** Two lines that get their addresses, the first preferred, both probed each second. */
function twoLines(uuid: number): Record<string, unknown> {
  const document = smallGateway(uuid) as { interfaces: Record<string, unknown>[] };
  const line = (name: string, port: string, metric: number) => ({
    ...{ name, role: 'upstream', metric, ethernet: [{ 'select-ports': [port] }], ipv4: { addressing: 'dynamic' } },
  });
  const probe = { every_s: 1, fails: 2, recovers: 2 };
  return {
    ...document,
    interfaces: [line('First', 'WAN1', 1), line('Second', 'WAN2', 2), document.interfaces[1]],
    'third-party': {
      yunxun: { confirm_s: 60, lines: ['First', 'Second'].map((name) => ({ interface: name, probe })) },
    },
  };
}

/** By which line the LAN goes out now. */
async function wayOut(): Promise<string> {
  const answer = await lab.call('a', { url: 'http://192.0.2.10/whoami', timeoutS: 3 }).catch(() => null);
  return answer?.text ?? 'none';
}

it('lines get their addresses by DHCP; the lost one gives way to the other, and takes over again', async () => {
  const session = await box.start();
  const reply = await session.command('configure', { uuid: 100, config: twoLines(100) });
  expect(reply, box.log()).toMatchObject({ uuid: 100, status: { error: 0 } });
  await lab.lease('a');
  await expect.poll(wayOut).toMatch(/^198\.51\.100\./);
  const names = await lab.call('a', { url: 'http://www.example.com/whoami', resolver: '10.1.0.1' });
  expect(names.status).toBe(200);
  await expect.poll(() => lab.run('gw', 'ip', 'route', 'show', 'table', '202')).toContain('203.0.113.1');

  // the session to the console went over the first line too
  const moved = box.console.connected();
  await lab.line(1, 'silent');
  await expect.poll(wayOut).toMatch(/^203\.0\.113\./);
  expect((await (await moved).message('connect')).params).toMatchObject({ uuid: 100, reason: 'socket' });
  expect(await lab.run('gw', 'ip', 'route', 'show', 'table', 'main')).not.toContain('default via 198.51.100.1');
  await lab.line(1, 'mended');
  await expect.poll(wayOut).toMatch(/^198\.51\.100\./);

  await lab.line(1, 'carrier');
  await expect.poll(wayOut).toMatch(/^203\.0\.113\./);
  await lab.line(1, 'mended');
  await expect.poll(wayOut).toMatch(/^198\.51\.100\./);
});

it('the agent ends and comes back while somebody loads: the connection lives, and no route moves', async () => {
  const call = { url: 'http://192.0.2.14/bytes/6000000', hold: 1_000_000, timeoutS: 120 };
  const loading = lab.start('a', process.execPath, [join(import.meta.dirname, 'caller.mjs'), JSON.stringify(call)]);
  let said = '';
  loading.stdout?.on('data', (part: Buffer) => {
    said += part.toString();
  });
  await expect.poll(() => said).toContain('held');
  const moves = lab.start('gw', 'ip', ['monitor', 'route']);
  let moved = '';
  moves.stdout?.on('data', (part: Buffer) => {
    moved += part.toString();
  });
  await box.end('SIGTERM');
  const session = await box.start();
  // its probes have spoken
  await session.message('state');
  moves.kill('SIGTERM');
  expect(moved).not.toContain('default');
  loading.stdin?.write('\n');
  await expect.poll(() => said).toContain('"bytes":6000000');
});

it('the agent ends and comes back without touching a lease', async () => {
  const before = await lab.run('gw', 'ip', '-4', '-br', 'addr');
  await box.end('SIGTERM');
  expect(await lab.run('gw', 'ip', '-4', '-br', 'addr')).toBe(before);
  expect(await wayOut()).not.toBe('none');
  await box.start();
  expect(await lab.run('gw', 'ip', '-4', '-br', 'addr')).toBe(before);
});
