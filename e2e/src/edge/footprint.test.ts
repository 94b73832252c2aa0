import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LabBox, smallGateway, startBox } from './box.ts';
import { type Lab, startLab } from './lab.ts';

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

/** Resident memory (bytes) and processor time (seconds) of a process with the children it has had and has. */
function used(pid: number): { resident: number; seconds: number; open: number } {
  const fields = (of: number) => readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
  const children = readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
    .filter(Boolean)
    .map(Number);
  const ticks = (of: number) =>
    fields(of)
      .slice(11, 15)
      .reduce((sum, one) => sum + one, 0);
  const seconds = [pid, ...children].reduce((sum, of) => sum + ticks(of) / 100, 0);
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  return { resident, seconds, open: readdirSync(`/proc/${pid}/fd`).length };
}

it('at rest the agent of a configured gateway holds less than 80 MB and takes less than 1 % of a core, its tools included', async () => {
  const session = await box.start();
  const reply = await session.command('configure', { uuid: 100, config: smallGateway(100) });
  expect(reply, box.log()).toMatchObject({ status: { error: 0 } });
  const { pid } = JSON.parse(readFileSync(`${box.folder}/run/yunxun-edge/status.json`, 'utf8')) as { pid: number };
  // two reports of its state are part of its rest
  const states = () => session.messages.filter(({ method }) => method === 'state').length;
  await expect.poll(states, { timeout: 90_000, interval: 1000 }).toBe(1);
  const [before, began] = [used(pid), performance.now()];
  await expect.poll(states, { timeout: 200_000, interval: 1000 }).toBe(3);
  const after = used(pid);
  const share = ((after.seconds - before.seconds) * 1000) / (performance.now() - began);
  console.log(`${(after.resident / 1e6).toFixed(1)} MB resident, ${(share * 100).toFixed(2)} % of a core`);
  expect(after.resident).toBeLessThan(80e6);
  expect(share).toBeLessThan(0.01);
  expect(after.open).toBeLessThanOrEqual(before.open + 2);
});
