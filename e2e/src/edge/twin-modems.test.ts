import { expect, it } from 'vitest';
import { type LabHost, startHost } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';
import { twoWans, wayOutOf } from './two-wans.ts';

let lab: Lab;
let host: LabHost;

labFixture(async (own) => {
  lab = own(await startLab({ console: true, twinModems: true }));
  const uplink = async () => {
    await lab.run('gw', 'ip', 'addr', 'add', '192.168.1.100/24', 'dev', 'wan1');
    await lab.run('gw', 'ip', 'route', 'add', 'default', 'via', '192.168.1.1');
  };
  host = own(await startHost(lab, { uplink }));
});

it('leaves by the living one of two modems that have one subnet and lease one address', async () => {
  const wayOut = () => wayOutOf(lab);
  await host.start();
  expect(await host.configure(twoWans(100)), host.log()).toMatchObject({ uuid: 100, status: { error: 0 } });
  await lab.lease('a');
  await expect.poll(wayOut).toMatch(/^198\.51\.100\./);
  for (const device of ['wan1', 'wan2'])
    await expect.poll(() => lab.run('gw', 'ip', '-br', 'addr', 'show', 'dev', device)).toContain('192.168.1.100/24');
  const hang =
    'add table netdev t; add chain netdev t in { type filter hook ingress device in priority 0; policy drop; }';
  await lab.run('m1', 'nft', hang);
  await expect.poll(wayOut).toMatch(/^203\.0\.113\./);
  const main = () => lab.run('gw', 'ip', 'route', 'show', 'table', 'main');
  expect(await main()).not.toContain('default via 192.168.1.1 dev wan1');
  await lab.run('m1', 'nft', 'delete table netdev t');
  await expect.poll(wayOut).toMatch(/^198\.51\.100\./);
  await lab.run('m2', 'nft', hang);
  await expect.poll(main).not.toContain('dev wan2 metric');
  expect(await wayOut()).toMatch(/^198\.51\.100\./);
});
