// A planned restart of 120 routers raises no alarm.
import { type Fleet, simulatedSerial, startFleet } from '@yunxun/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AlarmReceiver, startAlarmReceiver, subscriptionTo } from './alarm-receiver.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { until } from './until.ts';

const routers = 120;
const together = 8;
let product: Product;
let owner: Person;
const fleets: Fleet[] = [];
let receiver: AlarmReceiver;

beforeAll(async () => {
  receiver = await startAlarmReceiver();
  product = await startProduct();
  owner = await register(product, 'restarts@example.org');
  await owner.call('/api/v3/alarm_subscription/save', subscriptionTo(receiver));
  // the strictest tolerance: only the plan keeps the restart from being an alarm
  for (const kind of ['gateway_offline', 'network_offline'])
    await owner.call('/api/v3/alarm_rule/save', {
      rule: {
        kind,
        enabled: true,
        level: 'FATAL',
        tolerance: 0,
        threshold: null,
        scope: { type: 'all', ids: [] },
      },
    });
  for (let begun = 0; begun < routers; begun += together) fleets.push(...(await startRouters(begun)));
  await allOnline();
});
afterAll(async () => {
  for (const fleet of fleets) fleet.stop();
  await product?.stop();
  receiver?.stop();
});

/** With serials of their own: seeds share 4,096 of them. */
const seeds = [
  ...new Map(
    Array.from({ length: 4 * routers }, (_, n) => [simulatedSerial(`router-${n}`, 0), `router-${n}`]),
  ).values(),
].slice(0, routers);

const allOnline = () => Promise.all(fleets.map((fleet) => fleet.online()));

function startRouters(begun: number): Promise<Fleet[]> {
  return Promise.all(
    Array.from({ length: together }, async (_, n) => {
      const seed = seeds[begun + n]!;
      const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: seed });
      const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid };
      return startFleet({ ...place, gateways: 1, peoplePerAp: 0, seed });
    }),
  );
}

it('restarts all of them, records the outages as planned, and sends no notice', async () => {
  const { list } = await owner.call<{ list: { gwid: string }[]; total: number }>('/api/v3/network/list', {
    page: 1,
    limit: 200,
  });
  expect(list).toHaveLength(routers);
  const { job_id } = await owner.call<{ job_id: string }>('/api/v3/network/reboot', {
    gwids: list.map(({ gwid }) => gwid),
  });
  await until(
    'the job has restarted all',
    async () => (await owner.call<{ status: string }>('/api/v3/job/detail', { job_id })).status === 'succeeded',
    600,
  );
  await allOnline();
  const [first] = list;
  await until('an outage is recorded with its cause', async () => {
    const outages = await owner.call<{ list: { cause: string; ended_at: string | null }[] }>('/api/v3/outage/list', {
      gwid: first!.gwid,
      page: 1,
      limit: 10,
    });
    return outages.list.some(({ cause, ended_at }) => cause === 'planned' && ended_at !== null);
  });
  // an evaluation after the last of them: that of another, real loss
  const last = fleets.at(-1)!;
  const lost = last.status()[0]!.serial;
  last.device(lost).stop();
  await expect.poll(() => receiver.events(), { timeout: 200_000 }).toEqual(['opened gateway_offline']);
  const { list: alarms } = await owner.call<{ list: { serial: string }[] }>('/api/v3/alarm/list', {
    page: 1,
    limit: 50,
    state: 'all',
  });
  expect(alarms.map(({ serial }) => serial)).toEqual([lost]);
});
