import type { DataOf, users } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, config, ended, expectConfig, fixture, items, startFixture, stopFixture } from './testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from './testing/gateway.ts';

beforeAll(startFixture);
afterAll(stopFixture);

const client = '02000000000a';
const applied = async () => (await call<DataOf<typeof users.applied>>('/api/v3/user_online/applied', {})).data;
const put = (list: 'block' | 'unblock', ...macs: string[]) =>
  call<{ job_id: string }>(`/api/v3/user_online/${list}`, { macs, elsewhere: 'now' });

interface Documented {
  'third-party': { yunxun: { blocked?: string[] } };
}
const sent = async (serial: string) => (await config(serial)).desired!.document as Documented;

async function gateway(blocking: boolean) {
  const { gwid, identity } = await gatewayNetwork();
  const gateway = await connectGateway(identity, undefined, {}, { blocking });
  const saved = await call<{ job_id: string }>('/api/v3/network/gateway/save', {
    gwid,
    version: 0,
    settings: settings(),
  });
  await ended(saved, 'applied');
  await expectConfig(identity.serial, { state: 'in_sync' });
  return { gwid, identity, gateway };
}

it('sends the list to a gateway, which acknowledges it, and takes it away again', async () => {
  const { gwid, identity, gateway: gatewayHost } = await gateway(true);
  await put('block', client, '030000000001');
  // under load another job of the gateway sends the document, and this one has nothing left to send
  const blocked = async () => (await sent(identity.serial))['third-party'].yunxun.blocked;
  await expect.poll(blocked).toEqual(['02:00:00:00:00:0a']);
  await expect.poll(applied).toMatchObject({ managed: 1, gateways: 1, in_force: 1, waiting: [], too_old: 0 });

  await gatewayHost.cut();
  const job = await put('block', '02000000000b');
  await ended(job, 'waiting_offline');
  expect(await applied()).toMatchObject({
    managed: 1,
    in_force: 0,
    waiting: [{ serial: identity.serial, gwid, sync: 'pending' }],
  });
  await gatewayHost.connect();
  await ended(job, 'applied');
  await ended(await put('unblock', client, '02000000000b', '030000000001'), 'applied');
  expect((await sent(identity.serial))['third-party'].yunxun.blocked).toBeUndefined();
});

it('leaves the list out for an agent that would refuse it, and says so', async () => {
  const { gwid, identity } = await gateway(false);
  await put('block', client);
  await expectConfig(identity.serial, { state: 'in_sync' });
  expect((await sent(identity.serial))['third-party'].yunxun.blocked).toBeUndefined();
  expect(await applied()).toMatchObject({ too_old: 1 });
  const previewed = await call<{ devices: { findings: { code: string }[] }[] }>('/api/v3/network/gateway/preview', {
    gwid,
    settings: settings(),
  });
  expect(previewed.data.devices[0]!.findings).toContainEqual(expect.objectContaining({ code: 'no_blocking' }));
});

it('counts no list as in force before its push, and no job as unchanged whose change another sent', async () => {
  await put('unblock', client);
  const { identity } = await gateway(true);
  await expect.poll(applied).toMatchObject({ waiting: [] });
  const { managed } = await applied();
  const pushes = await fixture.server.db.database.systemPool.connect();
  const jobs: Awaited<ReturnType<typeof put>>[] = [];
  try {
    await pushes.query('begin');
    await pushes.query('select from config_state for update');
    for (const mac of ['02000000001a', '02000000001b']) jobs.push(await put('block', mac));
    expect(await applied()).toMatchObject({ managed, in_force: 0 });
    expect((await applied()).waiting).toContainEqual(
      expect.objectContaining({ serial: identity.serial, sync: 'pending' }),
    );
  } finally {
    await pushes.query('rollback');
    pushes.release();
  }
  for (const { data } of jobs)
    await expect
      .poll(() => items(data.job_id))
      .toContainEqual(expect.objectContaining({ serial: identity.serial, status: 'applied', reason: null }));
  await expect.poll(applied).toMatchObject({ managed, in_force: managed, waiting: [] });
  expect((await sent(identity.serial))['third-party'].yunxun.blocked).toHaveLength(2);
});
