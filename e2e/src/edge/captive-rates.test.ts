import { join } from 'node:path';
import { expect, it } from 'vitest';
import { captiveHost } from './captive-host.ts';
import { logged } from './lab.ts';
import { steadyRate } from './rate.ts';

const { parts, order } = captiveHost();

/** Returns kbit/s. */
async function speed(server: string, way: 'down' | 'up'): Promise<number> {
  const bytes = 1_500_000;
  const body = way === 'up' ? `head -c ${bytes} /dev/zero | ` : '';
  const [asks, path] = way === 'up' ? ['--data-binary @- -H expect:', ''] : ['', `bytes/${bytes}`];
  const curl = `curl -sg -m 60 -o /dev/null -w '%{speed_${way}load}' ${asks} 'http://${server}:8080/${path}'`;
  return (Number(await parts().lab.run('a', 'sh', '-c', body + curl)) * 8) / 1000;
}

it('limits a guest to its rates, by IPv4 and by IPv6, in both ways', async () => {
  const { lab } = parts();
  const lan = (
    await lab.run('gw', 'sh', '-c', 'basename "$(readlink /sys/class/net/lan1/master || echo lan1)"')
  ).trim();
  await lab.run('gw', 'ip', 'addr', 'add', 'fd00:77::1/64', 'dev', lan, 'nodad');
  await lab.run('a', 'ip', 'addr', 'add', 'fd00:77::2/64', 'dev', 'eth0', 'nodad');
  const peer = join(import.meta.dirname, 'peer.mjs');
  await logged(lab.start('gw', process.execPath, [peer, 'fd00:77::1', '-', '-']), 'ready');
  const servers = ['192.0.2.10', '[fd00:77::1]'];
  await order('grant', 'ticket-free', { seconds: 600, up_kbps: 0, down_kbps: 0 });
  for (const server of servers) expect(await speed(server, 'down'), server).toBeGreaterThan(40_000);
  await order('grant', 'ticket-slow', { seconds: 600, up_kbps: 3000, down_kbps: 6000 });
  for (const server of servers)
    for (const [way, kbps] of [
      ['down', 6000],
      ['up', 3000],
    ] as const) {
      const rate = await steadyRate(kbps * 0.5, async () => {
        // the kernel lets a second of the rate pass at once
        await speed(server, way);
        return speed(server, way);
      });
      expect(rate, `${server} ${way}`).toBeGreaterThan(kbps * 0.4);
      expect(rate, `${server} ${way}`).toBeLessThan(kbps * 1.2);
    }
  await order('grant', 'ticket-slow', { seconds: 600, up_kbps: 0, down_kbps: 0 });
  expect(await speed('192.0.2.10', 'down')).toBeGreaterThan(40_000);
  await order('revoke', 'ticket-slow');
});
