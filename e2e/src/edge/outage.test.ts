import { expect, it } from 'vitest';
import { type LabHost, startHost } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';

let lab: Lab;
let host: LabHost;

labFixture(async (own) => {
  lab = own(await startLab({ console: true }));
  host = own(await startHost(lab));
  await host.start();
});

async function failures(count: number): Promise<void> {
  const seen = () => host.log().match(/offline: /g)?.length ?? 0;
  const before = seen();
  await expect.poll(seen).toBeGreaterThanOrEqual(before + count);
}

it.each([
  ['refuses connections', 'reject with tcp reset'],
  ['answers nothing', 'drop'],
])('a console that %s is found again within 10 s of its return', async (_what, verdict) => {
  const rule = `tcp dport ${host.console.devicePort} ${verdict}`;
  await lab.run(
    'net',
    'nft',
    `add table ip away; add chain ip away c { type filter hook forward priority 0; }; add rule ip away c ${rule}`,
  );
  host.console.sessions.at(-1)?.socket.terminate();
  await failures(7);
  const back = host.console.connected();
  const returned = performance.now();
  await lab.run('net', 'nft', 'delete', 'table', 'ip', 'away');
  await back;
  expect(performance.now() - returned).toBeLessThan(10_000);
});
