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

const pollOptions = { timeout: 150_000, interval: 250 };

const events = () =>
  host.console.sessions.flatMap(({ messages }) => messages.filter(({ method }) => method === 'event'));

/** Waits for a repair event that names all of `what`. */
async function healed(before: number, ...what: string[]): Promise<void> {
  const logText = () => JSON.stringify(events().slice(before));
  await expect
    .poll(
      () => (logText().includes('unit.config-healed') ? what.filter((one) => !logText().includes(one)) : ['no event']),
      pollOptions,
    )
    .toEqual([]);
}

async function configured(): Promise<void> {
  if (host.pid() !== null) return;
  await host.start();
  const section = { routes: [{ to: '10.99.0.0/16', via: '10.1.0.77' }] };
  const word = await host.configure(smallGateway(100, { section }));
  expect(word, host.log()).toMatchObject({ uuid: 100, status: { error: 0 } });
  await lab.lease('a');
  await expect.poll(() => lab.page()).toBe(200);
}

it('is put back, and said: the table, an address, a route, a rule, dnsmasq, a setting; what others have stays', async () => {
  await configured();

  await lab.run('gw', 'nft', 'add table ip others; add chain ip others c; add rule ip others c counter');
  await lab.run('gw', 'ip', 'addr', 'add', '10.77.0.1/24', 'dev', 'lan2');
  await lab.run('gw', 'ip', 'route', 'add', 'blackhole', '10.78.0.0/16', 'proto', 'static');
  await lab.run('gw', 'ip', 'rule', 'add', 'priority', '30000', 'from', '10.79.0.0/16', 'lookup', '99');
  const others = async () => [
    await lab.run('gw', 'nft', 'list', 'table', 'ip', 'others'),
    await lab.run('gw', 'ip', '-br', '-4', 'addr', 'show', 'lan2'),
    await lab.run('gw', 'ip', 'route', 'show', '10.78.0.0/16'),
    await lab.run('gw', 'ip', 'rule', 'show', 'priority', '30000'),
  ];
  const theirs = await others();
  const ours = async () => [
    (await lab.run('gw', 'nft', '-s', '-t', 'list', 'table', 'inet', 'yunxun')).trim(),
    await lab.run('gw', 'ip', '-br', '-4', 'addr', 'show', 'wan1'),
    await lab.run('gw', 'ip', '-br', '-4', 'addr', 'show', 'lan1'),
    await lab.run('gw', 'ip', 'route', 'show', 'table', 'all', 'proto', '201'),
    await lab.run('gw', 'ip', 'rule'),
    await lab.run('gw', 'sysctl', 'net.ipv4.ip_forward'),
  ];
  const before = (await ours()).toSorted();

  const seen = events().length;
  await lab.run('gw', 'nft', 'delete', 'table', 'inet', 'yunxun');
  const lan = (await lab.run('gw', 'ip', '-o', '-4', 'addr', 'show'))
    .split('\n')
    .find((line) => line.includes('10.1.0.1/24'))!;
  const lanDevice = lan.split(/\s+/)[1]!;
  await lab.run('gw', 'ip', 'addr', 'del', '10.1.0.1/24', 'dev', lanDevice);
  await lab.run('gw', 'sysctl', '-qw', 'net.ipv4.ip_forward=0');
  const pid = (await lab.run('gw', 'cat', `${host.folder}/run/yunxun-edge/dnsmasq.pid`)).trim();
  await lab.run('gw', 'kill', '-9', pid);
  await healed(
    seen,
    'table inet yunxun',
    'address',
    '10.1.0.1/24',
    'route 10.99.0.0/16',
    'dnsmasq',
    'net/ipv4/ip_forward',
  );
  await expect.poll(async () => (await ours()).toSorted()).toEqual(before);
  expect(await others()).toEqual(theirs);
  await lab.lease('a');
  await expect.poll(() => lab.page()).toBe(200);
});

it('comes back also where it was only changed: a rule of ours was taken out of its chain', async () => {
  await configured();
  const table = () => lab.run('gw', 'nft', '-s', '-t', 'list', 'table', 'inet', 'yunxun');
  const before = await table();
  const seen = events().length;
  // a second repair waits for a pause
  await lab.run('gw', 'nft', 'flush', 'table', 'inet', 'yunxun');
  await healed(seen, 'table inet yunxun');
  await expect.poll(table).toBe(before);
  await expect.poll(() => lab.page()).toBe(200);
});
