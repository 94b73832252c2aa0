import { expect, it } from 'vitest';
import { type LabHost, smallGateway, startHost } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';
import { used } from './used.ts';

let lab: Lab;
let host: LabHost;

labFixture(async (own) => {
  lab = own(await startLab({ console: true }));
  host = own(await startHost(lab, { supervised: true }));
});

// CPU use is measured by bench/edge-rest.ts
it('at rest the agent of a configured gateway holds less than 80 MB, and no file more from report to report', async () => {
  await host.start();
  expect(await host.configure(smallGateway(100)), host.log()).toMatchObject({ status: { error: 0 } });
  const pid = host.pid()!;
  // two state reports, one a minute
  const states = () =>
    host.console.sessions.flatMap(({ messages }) => messages.filter(({ method }) => method === 'state')).length;
  const begun = states();
  const pollOptions = { timeout: 240_000, interval: 1000 };
  await expect.poll(states, pollOptions).toBeGreaterThan(begun);
  const before = used(pid);
  await expect.poll(states, pollOptions).toBeGreaterThan(begun + 2);
  const after = used(pid);
  expect(after.resident).toBeLessThan(80e6);
  expect(after.open).toBeLessThanOrEqual(before.open + 2);
});
