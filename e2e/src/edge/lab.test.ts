import { expect, it } from 'vitest';
import { startLab } from './lab.ts';

it('creates a lab whose gateway routes once configured, and leaves nothing behind', async () => {
  const lab = await startLab({ console: true, ports: [9000] });
  try {
    await lab.run('gw', 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
    await lab.run('gw', 'ip', 'addr', 'add', '10.1.0.1/24', 'dev', 'lan1');
    await lab.run('gw', 'ip', 'addr', 'add', '198.51.100.2/24', 'dev', 'wan1');
    for (const device of ['lan1', 'wan1']) await lab.run('gw', 'ip', 'link', 'set', device, 'up');
    await lab.run('gw', 'ip', 'route', 'add', 'default', 'via', '198.51.100.1');
    const nat = 'type nat hook postrouting priority 100;';
    await lab.run(
      'gw',
      'nft',
      `add table ip n; add chain ip n p { ${nat} }; add rule ip n p oifname "wan1" masquerade`,
    );
    await lab.run('a', 'ip', 'addr', 'add', '10.1.0.10/24', 'dev', 'eth0');
    await lab.run('a', 'ip', 'route', 'add', 'default', 'via', '10.1.0.1');
    const counted = await lab.count('a', '192.0.2.11');
    const before = lab.device('gw', 'lan1');

    const got = await lab.call('a', { url: 'https://cdn.googlevideo.com/bytes/1000000', resolver: '192.0.2.53' });
    expect(got).toMatchObject({ status: 200, bytes: 1_000_000, address: '192.0.2.11' });
    const sent = await lab.call('a', { url: 'http://192.0.2.11:9000/', post: 500_000 });
    expect(sent.text).toBe('500000');
    expect((await lab.call('a', { url: 'http://192.0.2.10/whoami' })).text).toBe('198.51.100.2');
    const { rx, tx } = await counted();
    expect(rx).toBeGreaterThan(1_000_000);
    expect(tx).toBeGreaterThan(500_000);
    const after = lab.device('gw', 'lan1');
    expect(after.txBytes - before.txBytes).toBeGreaterThan(rx);

    expect((await lab.try('gw', 'ping', '-c', '1', '-W', '1', lab.console!)).code).toBe(0);
    await lab.wan(1, 'silent');
    expect((await lab.try('gw', 'ping', '-c', '1', '-W', '1', '192.0.2.10')).code).toBe(1);
    expect(await lab.run('gw', 'cat', '/sys/class/net/wan1/carrier')).toBe('1\n');
    await lab.wan(1, 'carrier');
    expect(await lab.run('gw', 'cat', '/sys/class/net/wan1/carrier')).toBe('0\n');
    await lab.wan(1, 'mended');
    await expect.poll(() => lab.try('gw', 'ping', '-c', '1', '-W', '1', '192.0.2.10')).toMatchObject({ code: 0 });
  } finally {
    await lab.stop();
  }
  const left = await import('node:fs').then(({ readdirSync }) => readdirSync('/run/netns'));
  expect(left.filter((name) => name.startsWith(lab.prefix))).toEqual([]);
});
