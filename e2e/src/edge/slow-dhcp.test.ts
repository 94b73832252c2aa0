import { expect, it } from 'vitest';
import { type LabHost, startHost } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';
import { twoWans, wayOutOf } from './two-wans.ts';

let lab: Lab;
let host: LabHost;

labFixture(async (own) => {
  const classless = '10.20.0.0/16,NET.9,0.0.0.0/0,NET.1';
  lab = own(await startLab({ console: true, dhcpOnWans: { router: null, delayS: 3, classless, mtu: 1400 } }));
  host = own(await startHost(lab));
});

it('gets its way out from a server that offers after 3 s, by option 121 alone', async () => {
  await host.start();
  expect(await host.configure(twoWans(100)), host.log()).toMatchObject({ uuid: 100, status: { error: 0 } });
  await expect.poll(() => lab.run('gw', 'ip', 'route', 'show', 'table', '202')).toContain('default via 203.0.113.1');
  expect(await lab.run('gw', 'ip', 'route', 'show', 'table', '202')).toContain('10.20.0.0/16 via 203.0.113.9');
  expect(await lab.run('gw', 'ip', 'link', 'show', 'dev', 'wan2')).toContain('mtu 1400');
  await lab.lease('a');
  await expect.poll(() => wayOutOf(lab)).toMatch(/^198\.51\.100\./);
  await lab.wan(1, 'silent');
  await expect.poll(() => wayOutOf(lab)).toMatch(/^203\.0\.113\./);
});
