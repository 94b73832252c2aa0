import { beforeEach, expect, it } from 'vitest';
import { captiveHost } from './captive-host.ts';

const { parts, captive, apply, status, order } = captiveHost();

/** Of the internet, and of the router on `b`. */
const [outside, router] = ['2001:db8:ff::1', '2001:db8:9::1'];
const both = ['LAN1', 'LAN2'];

const ip6 = (where: 'a' | 'b' | 'gw' | 'net', ...args: string[]) => parts().lab.run(where, 'ip', '-6', ...args);
const own = { a: '2001:db8:1::a', b: '2001:db8:1::b' } as const;
const reaches = async (where: 'a' | 'b', target: string = outside) =>
  (await parts().lab.try(where, 'ping', '-6', '-n', '-c', '1', '-W', '1', '-I', own[where], target)).code === 0;
async function freely(): Promise<string> {
  const args = ['-s', '-m', '4', '-o', '/dev/null', '-w', '%{http_code}', 'http://192.0.2.10/whoami'];
  return (await parts().lab.try('b', 'curl', ...args)).stdout;
}

/** The host routes IPv6, which the agent does not know of. */
async function route(device: string): Promise<void> {
  const { lab } = parts();
  await lab.run('gw', 'sysctl', '-qw', 'net.ipv6.conf.all.forwarding=1');
  await ip6('gw', 'addr', 'replace', '2001:db8:ff::2/64', 'dev', 'wan1', 'nodad');
  for (const other of ['lan1', 'yx-lan'])
    await lab.try('gw', 'ip', '-6', 'addr', 'flush', 'dev', other, 'scope', 'global');
  await ip6('gw', 'addr', 'replace', '2001:db8:1::1/64', 'dev', device, 'nodad');
  await ip6('net', 'addr', 'replace', `${outside}/64`, 'dev', 'line1', 'nodad');
  await ip6('net', 'route', 'replace', '2001:db8:1::/64', 'via', '2001:db8:ff::2');
  for (const where of ['a', 'b'] as const) {
    await ip6(where, 'addr', 'replace', `${own[where]}/64`, 'dev', 'eth0', 'nodad');
    await ip6(where, 'route', 'replace', 'default', 'via', '2001:db8:1::1', 'metric', '10');
  }
}

beforeEach(async () => {
  const { lab } = parts();
  await lab.run('b', 'ip', 'addr', 'replace', '10.1.0.30/24', 'dev', 'eth0');
  await lab.run('b', 'ip', 'route', 'replace', 'default', 'via', '10.1.0.1');
});

it('gates IPv6 that it routes like IPv4, until a guest is in, and lets exempt devices past', async () => {
  const { lab } = parts();
  await route('lan1');
  await apply();
  await expect.poll(() => reaches('a')).toBe(true);
  await apply({ captive: captive() });
  expect(await reaches('a')).toBe(false);
  await order('grant', 'ticket-six');
  expect(await reaches('a')).toBe(true);
  await order('revoke', 'ticket-six');
  expect(await reaches('a')).toBe(false);
  await apply({ captive: { ...captive(), exempt_ipv6: [own.a] } });
  expect([await reaches('a'), await status()]).toEqual([true, 302]);
  await apply({ captive: { ...captive(), exempt_macs: [lab.mac('a')] } });
  expect([await reaches('a'), await status()]).toEqual([true, 200]);
});

it('captures the clients of a range only, and lets IPv6 of the others pass once it knows them', async () => {
  const ranges = [{ interface: 'LAN', first: '10.1.0.100', last: '10.1.0.150' }];
  await apply({ captive: { ...captive(), ranges } }, both);
  await route('yx-lan');
  expect(await status()).toBe(302);
  expect([await reaches('a'), await reaches('b')]).toEqual([false, false]);
  expect(await freely()).toBe('200');
  expect([await reaches('a'), await reaches('b')]).toEqual([false, true]);
  await order('grant', 'ticket-range');
  expect([await reaches('a'), await status()]).toEqual([true, 200]);
  await order('revoke', 'ticket-range');
});

it('lets no guest be the IPv6 router of others between its ports', async () => {
  const { lab } = parts();
  await apply({}, both);
  await route('yx-lan');
  await ip6('b', 'addr', 'replace', `${router}/64`, 'dev', 'eth0', 'nodad');
  await ip6('a', 'route', 'replace', '2001:db8:9::/64', 'dev', 'eth0');
  for (const setting of ['accept_ra=2', 'autoconf=1'])
    await lab.run('a', 'sysctl', '-qw', `net.ipv6.conf.eth0.${setting}`);
  const hasRouter = async () => (await ip6('a', 'route', 'show', 'default', 'proto', 'ra')) !== '';
  const advertise = async () => {
    const options = '-d -C /dev/null -p 0 --user=root --enable-ra --interface=eth0 --log-facility=-'.split(' ');
    const more = ['--dhcp-range=::,constructor:eth0,ra-only,64', '--ra-param=eth0,4,600'];
    const daemon = lab.start('b', 'dnsmasq', [...options, ...more, `--dhcp-leasefile=${lab.folder}/ra`]);
    let output = '';
    for (const stream of [daemon.stdout, daemon.stderr])
      stream?.on('data', (part: Buffer) => {
        output += part.toString();
      });
    await expect.poll(() => output).toContain('RTR-ADVERT');
    // frames pass in order
    await lab.run('a', 'ping', '-n', '-c', '1', '-W', '4', '10.1.0.30');
    const gone = new Promise((resolve) => daemon.once('exit', resolve));
    daemon.kill('SIGKILL');
    await gone;
  };
  await advertise();
  await expect.poll(hasRouter).toBe(true);
  expect(await reaches('a', router)).toBe(true);

  await apply({ captive: captive() }, both);
  await ip6('a', 'route', 'flush', 'default', 'proto', 'ra');
  await advertise();
  expect([await hasRouter(), await reaches('a', router)]).toEqual([false, false]);

  for (const where of ['a', 'b'] as const)
    await order('grant', `ticket-${where}-bridge`, { seconds: 600, mac: lab.mac(where) });
  await advertise();
  expect([await hasRouter(), await reaches('a', router)]).toEqual([false, true]);

  // the router of the house
  await apply({ captive: { ...captive(), exempt_macs: [lab.mac('b')] } }, both);
  await advertise();
  await expect.poll(hasRouter).toBe(true);
  await order('revoke', 'ticket-a-bridge');
  await apply();
  expect((await lab.try('gw', 'nft', 'list', 'table', 'bridge', 'yunxun_captive')).code).not.toBe(0);
});

it('leads no client that is not in to the others of its network, whose ports are isolated', async () => {
  const { lab } = parts();
  await apply({}, both);
  for (const port of ['lan1', 'lan2']) await lab.run('gw', 'bridge', 'link', 'set', 'dev', port, 'isolated', 'on');
  const [address] = /10\.1\.0\.\d+/.exec(await lab.run('a', 'ip', '-4', 'addr', 'show', 'dev', 'eth0'))!;
  for (const [where, other] of [
    ['a', '10.1.0.30'],
    ['b', address],
  ] as const) {
    for (const scope of ['all', 'eth0'])
      await lab.run(where, 'sysctl', '-qw', `net.ipv4.conf.${scope}.accept_redirects=0`);
    await lab.run(where, 'ip', 'route', 'replace', other, 'via', '10.1.0.1');
  }
  const reachesOther = async () => (await lab.try('a', 'ping', '-n', '-c', '1', '-W', '1', '10.1.0.30')).code === 0;
  await expect.poll(reachesOther).toBe(true);
  await apply({ captive: { ...captive(), exempt_macs: [lab.mac('b')] } }, both);
  expect(await reachesOther()).toBe(false);
  await order('grant', 'ticket-isolated');
  expect(await reachesOther()).toBe(true);
});
