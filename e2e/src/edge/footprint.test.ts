import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LabBox, smallGateway, startBox } from './box.ts';
import { type Lab, startLab } from './lab.ts';
import { used } from './used.ts';

let lab: Lab;
let box: LabBox;

beforeAll(async () => {
  lab = await startLab({ console: true });
  box = await startBox(lab, { supervised: true });
});

afterAll(async () => {
  await box?.stop();
  await lab?.stop();
});

// what it takes of a core is measured by bench/edge-rest.ts
it('at rest the agent of a configured gateway holds less than 80 MB, and no file more from report to report', async () => {
  const session = await box.start();
  const reply = await session.command('configure', { uuid: 100, config: smallGateway(100) });
  expect(reply, box.log()).toMatchObject({ status: { error: 0 } });
  const { pid } = JSON.parse(readFileSync(`${box.folder}/run/yunxun-edge/status.json`, 'utf8')) as { pid: number };
  // two reports of its state are part of its rest
  const states = () => session.messages.filter(({ method }) => method === 'state').length;
  await expect.poll(states, { timeout: 90_000, interval: 1000 }).toBe(1);
  const before = used(pid);
  await expect.poll(states, { timeout: 200_000, interval: 1000 }).toBe(3);
  const after = used(pid);
  expect(after.resident).toBeLessThan(80e6);
  expect(after.open).toBeLessThanOrEqual(before.open + 2);
});
