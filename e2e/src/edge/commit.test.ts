import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type LabHost, smallGateway, startHost } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';

let lab: Lab;
let host: LabHost;

labFixture(async (own) => {
  lab = own(await startLab({ console: true }));
  host = own(await startHost(lab));
});

async function kernel(): Promise<string> {
  const parts = await Promise.all([
    lab.run('gw', 'ip', '-br', 'addr'),
    lab.run('gw', 'ip', 'route', 'show', 'table', 'all', 'proto', '201'),
    lab.run('gw', 'ip', 'rule'),
    lab.run('gw', 'nft', 'list', 'ruleset'),
    lab.run('gw', 'sysctl', 'net.ipv4.ip_forward'),
  ]);
  // without late link-local addresses and counters
  return parts
    .join('\n')
    .replace(/fe80:\S+/g, '')
    .replace(/packets \d+ bytes \d+/g, '')
    .replace(/[ \t]+/g, ' ');
}

async function configured(): Promise<void> {
  if (host.pid() !== null) return;
  const session = await host.start();
  expect(session.messages[0]?.params).toMatchObject({
    uuid: 1,
    capabilities: { platform: 'olg', network: { WAN1: ['wan1'] } },
  });
  expect(await host.configure(smallGateway(100)), host.log()).toMatchObject({ uuid: 100, status: { error: 0 } });
  expect((await lab.lease('a')).address).toMatch(/^10\.1\.0\.1\d\d$/);
}

it('applies a configuration for real, as the user `nobody` with three capabilities', async () => {
  await configured();
  await expect.poll(() => lab.page()).toBe(200);
  // the distribution's settings stay, except its default route
  expect(await lab.run('gw', 'ip', '-br', 'addr', 'show', 'wan1')).toContain('198.51.100.9/24');
});

const logOf = (method: string) =>
  host.console.sessions
    .flatMap(({ messages }) => messages.filter((message) => message.method === method))
    .map(({ params }) => JSON.stringify(params));

it('takes back what cuts it off, says so, and the LAN goes on', async () => {
  await configured();
  const before = await kernel();
  const cutting = smallGateway(101, { wan: { subnet: '198.51.100.77/24', gateway: '198.51.100.200' } });
  const word = await host.configure(cutting);
  expect(word, host.log()).toMatchObject({ uuid: 100, status: { error: 2 } });
  expect(JSON.stringify(word)).toContain('the console was not reached within 30 s');
  await expect.poll(() => logOf('event')).toContainEqual(expect.stringContaining('unit.config-returned'));
  expect(logOf('event')).toContainEqual(expect.stringContaining('unit.config-pending'));
  expect(await (await host.session()).command('ping', {})).toMatchObject({ uuid: 100, returned: 101 });
  await expect.poll(kernel).toBe(before);
  await expect.poll(() => lab.page()).toBe(200);
});

it('killed in the middle it returns by itself at the next start', async () => {
  await configured();
  const session = await host.session();
  const before = await kernel();
  const cutting = smallGateway(102, { wan: { subnet: '198.51.100.88/24', gateway: '198.51.100.200' } });
  session.send('configure', { uuid: 102, config: cutting });
  await expect.poll(() => lab.run('gw', 'ip', 'route')).toContain('via 198.51.100.200');
  expect(await lab.run('gw', 'ip', '-br', 'addr', 'show', 'wan1')).toContain('198.51.100.88');
  await host.end('SIGKILL');
  expect(await kernel()).not.toBe(before);
  const again = await host.start();
  expect(again.messages[0]?.params).toMatchObject({ uuid: 100 });
  await expect
    .poll(() => logOf('event'))
    .toContainEqual(expect.stringMatching(/unit\.config-returned","payload":\{"uuid":102,/));
  await expect.poll(kernel).toBe(before);
  await expect.poll(() => lab.page()).toBe(200);
  // not retried
  expect((await host.call('status')).stdout).toMatch(/configuration {2}100\n(.*\n)*taken back {5}102/);
});

it('holds its configuration without a console, and says what a document would change', async () => {
  await configured();
  await host.end('SIGTERM');
  await lab.wan(1, 'silent');
  await lab.run('gw', 'ip', 'addr', 'del', '10.1.0.1/24', 'dev', 'lan1');
  host.launch();
  await expect.poll(() => lab.run('gw', 'ip', '-br', 'addr')).toContain('10.1.0.1/24');
  await lab.wan(1, 'mended');
  await host.session();
  const file = `${host.folder}/document.json`;
  writeFileSync(file, JSON.stringify(smallGateway(103, { wan: { subnet: '198.51.100.4/24' } })));
  const dry = await host.call('dry-run', file);
  expect(dry.stdout).toContain('198.51.100.4/24');
  expect(dry.code).toBe(0);
  expect(await lab.run('gw', 'ip', '-br', 'addr')).not.toContain('198.51.100.4/24');
});
