import { afterEach, beforeEach, expect, test } from 'vitest';
import { share } from './flow.ts';
import {
  connectDevice,
  connectParams,
  type DeviceCredential,
  RawDevice,
  startTestUplink,
  type TestUplink,
} from './testing/harness.ts';

const until = (condition: () => boolean) => expect.poll(condition).toBe(true);
const count = 12;
const perDevice = 150;
const maxInAll = 1024 * 1024;
const filler = 'x'.repeat(20_000);

let up: TestUplink;
let identities: DeviceCredential[];
let devices: RawDevice[];
let back: () => void;

beforeEach(async () => {
  const away = new Promise<void>((resolve) => {
    back = resolve;
  });
  up = await startTestUplink({ maxInAll, commit: () => away });
  const serials = Array.from({ length: count }, (_, at) => `903cb31000${at.toString(16).padStart(2, '0')}`);
  identities = await Promise.all(serials.map((serial) => up.enrol(serial)));
  devices = [];
  for (const identity of identities) devices.push(await connectDevice(up, identity, {}, until));
});
afterEach(async () => {
  back();
  for (const device of devices) device.close();
  await until(() => up.uplink.sessions() === 0);
  await up.stop();
});

const metric = async (name: string, labels: Record<string, string> = {}) => {
  const { values } = await up.metrics.getSingleMetric(name)!.get();
  const matches = (one: Partial<Record<string, string | number>>) =>
    Object.entries(labels).every(([key, value]) => one[key] === value);
  return values.find((one) => matches(one.labels))?.value ?? 0;
};
const waiting = () => metric('yunxun_device_waiting_bytes');
async function settled(): Promise<number> {
  let last = -1;
  let same = 0;
  await expect
    .poll(async () => {
      const now = await waiting();
      same = now === last ? same + 1 : 0;
      last = now;
      return same;
    })
    .toBeGreaterThan(5);
  return last;
}
const report = (device: RawDevice, at: number) =>
  device.notify('state', { serial: identities[devices.indexOf(device)]?.serial, uuid: at, state: { filler } });

test('what devices send while nothing can be committed stays with them, and comes in its order when it can', async () => {
  for (let at = 1; at <= perDevice; at += 1) for (const device of devices) report(device, at);
  const max = maxInAll + count * (share + 3 * filler.length);
  const held = await settled();
  expect(held).toBeGreaterThan(maxInAll);
  expect(held).toBeLessThan(max);
  expect(max).toBeLessThan((count * perDevice * filler.length) / 10);
  back();
  await until(() => up.states.length === count * perDevice);
  for (const { serial } of identities) {
    const own = up.states.filter((state) => state.serial === serial).map(({ uuid }) => uuid);
    expect(own).toEqual(Array.from({ length: perDevice }, (_, at) => at + 1));
  }
  await expect.poll(waiting).toBe(0);
});

test('reconnecting devices are sent away meanwhile, others are admitted', async () => {
  for (let at = 1; at <= perDevice; at += 1) for (const device of devices) report(device, at);
  await settled();
  const [first] = identities as [DeviceCredential];
  const again = await new RawDevice(up, first).opened();
  devices.push(again);
  again.notify('connect', connectParams(first.serial));
  await until(() => devices[0]?.closed !== null);
  const before = await waiting();
  again.notify('state', { serial: first.serial, uuid: 1, state: { filler } });
  await expect.poll(waiting).toBeGreaterThan(before);
  again.close();
  const refused = new RawDevice(up, first);
  await until(() => refused.status !== null);
  expect(refused.status).toBe(503);
  expect(await metric('yunxun_device_deferred_total', { why: 'behind' })).toBe(1);
  const newDevice = await connectDevice(up, await up.enrol('903cb3200001'), {}, until);
  devices.push(newDevice);
  back();
  await expect.poll(waiting).toBe(0);
  devices.push(await connectDevice(up, first, {}, until));
});
