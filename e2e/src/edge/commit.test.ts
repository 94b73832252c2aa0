import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LabBox, smallGateway, startBox } from './box.ts';
import { type Lab, startLab } from './lab.ts';

let lab: Lab;
let box: LabBox;

beforeAll(async () => {
  lab = await startLab({ console: true });
  box = await startBox(lab);
});

afterAll(async () => {
  await box?.stop();
  await lab?.stop();
});

/** What the kernel of the gateway says of everything that plans touch. */
async function kernel(): Promise<string> {
  const parts = await Promise.all([
    lab.run('gw', 'ip', '-br', 'addr'),
    lab.run('gw', 'ip', 'route', 'show', 'table', 'all', 'proto', '201'),
    lab.run('gw', 'ip', 'rule'),
    lab.run('gw', 'nft', 'list', 'ruleset'),
    lab.run('gw', 'sysctl', 'net.ipv4.ip_forward'),
  ]);
  // IPv6 link-local addresses appear when duplicate detection is done, and counters count
  return parts
    .join('\n')
    .replace(/fe80:\S+/g, '')
    .replace(/packets \d+ bytes \d+/g, '')
    .replace(/[ \t]+/g, ' ');
}

const page = () => lab.call('a', { url: 'http://192.0.2.10/whoami', timeoutS: 5 });

it('applies a configuration for real, as nobody with three capabilities', async () => {
  const session = await box.start();
  expect(session.messages[0]?.params).toMatchObject({
    uuid: 1,
    capabilities: { platform: 'olg', network: { WAN1: ['wan1'] } },
  });
  const reply = await session.command('configure', { uuid: 100, config: smallGateway(100) });
  expect(reply, box.log()).toMatchObject({ uuid: 100, status: { error: 0 } });
  expect((await lab.lease('a')).address).toMatch(/^10\.1\.0\.1\d\d$/);
  expect((await page()).status).toBe(200);
  // what the distribution had put there stays, but for the default route that would have won
  expect(await lab.run('gw', 'ip', '-br', 'addr', 'show', 'wan1')).toContain('198.51.100.9/24');
});

it('takes back what cuts it off, says so, and the LAN goes on', async () => {
  const session = box.console.sessions.at(-1)!;
  const before = await kernel();
  const cutting = smallGateway(101, { wan: { subnet: '198.51.100.77/24', gateway: '198.51.100.200' } });
  const reply = await session.command('configure', { uuid: 101, config: cutting });
  expect(reply).toMatchObject({ uuid: 100, status: { error: 2 } });
  expect(JSON.stringify(reply)).toContain('the console was not reached within 30 s');
  const events = () =>
    session.messages.filter(({ method }) => method === 'event').map(({ params }) => JSON.stringify(params.data));
  await session.until(() => events().some((event) => event.includes('unit.config-returned')));
  expect(events().some((event) => event.includes('unit.config-pending'))).toBe(true);
  expect(await kernel()).toBe(before);
  expect((await page()).status).toBe(200);
});

it('killed in the middle it returns by itself at the next start', async () => {
  const session = box.console.sessions.at(-1)!;
  const before = await kernel();
  const cutting = smallGateway(102, { wan: { subnet: '198.51.100.88/24', gateway: '198.51.100.200' } });
  void session.command('configure', { uuid: 102, config: cutting }).catch(() => {});
  await expect.poll(() => lab.run('gw', 'ip', '-br', 'addr', 'show', 'wan1')).toContain('198.51.100.88');
  await expect.poll(() => lab.run('gw', 'ip', 'route')).toContain('via 198.51.100.200');
  await box.end('SIGKILL');
  expect(await kernel()).not.toBe(before);
  const again = await box.start();
  expect(again.messages[0]?.params).toMatchObject({ uuid: 100 });
  await again.until(() => again.messages.some(({ params }) => JSON.stringify(params).includes('unit.config-returned')));
  expect(await kernel()).toBe(before);
  expect((await page()).status).toBe(200);
  // and is not tried again
  expect((await box.call('status')).stdout).toMatch(/configuration {2}100\n(.*\n)*taken back {5}102/);
});

it('holds its configuration without a console, and says what a document would change', async () => {
  await box.end('SIGTERM');
  await lab.line(1, 'silent');
  await lab
    .run('gw', 'ip', 'addr', 'del', '10.1.0.1/24', 'dev', 'lan1')
    .catch(() => lab.run('gw', 'ip', '-br', 'addr'));
  box.launch();
  await expect.poll(() => lab.run('gw', 'ip', '-br', 'addr')).toContain('10.1.0.1/24');
  await lab.line(1, 'mended');
  await expect.poll(() => box.console.sessions.at(-1)?.closed === false).toBe(true);
  const { writeFileSync } = await import('node:fs');
  const file = `${box.folder}/document.json`;
  writeFileSync(file, JSON.stringify(smallGateway(103, { wan: { subnet: '198.51.100.4/24' } })));
  const dry = await box.call('dry-run', file);
  expect(dry.stdout).toContain('198.51.100.4/24');
  expect(dry.code).toBe(0);
  expect(await lab.run('gw', 'ip', '-br', 'addr')).not.toContain('198.51.100.4/24');
});
