import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, ended, expectConfig, pushes, startFixture, stopFixture } from '../configuration/testing/fixture.ts';
import { connectGateway, gatewayHostFacts, gatewayNetwork, settings } from '../configuration/testing/gateway.ts';

beforeAll(startFixture);
afterAll(stopFixture);

interface Listed<T> {
  data: { list: T[] };
}

it('a restore whose gateway loses the console is taken back by the gateway, and put back in the console', async () => {
  const { gwid, identity } = await gatewayNetwork();
  const box = await connectGateway(identity);
  const save = (version: number, wanted: object) =>
    call<{ job_id: string }>('/api/v3/network/gateway/save', { gwid, version, settings: wanted });
  await ended(await save(0, settings()), 'applied');
  await ended(await save(1, settings({ forwards: [] })), 'applied');
  await expectConfig(identity.serial, { state: 'in_sync' });
  const kept: Listed<{ id: string; cause: string }> = await call('/api/v3/cloud_backup/list', { gwid });
  expect(kept.data.list).toMatchObject([{ cause: 'gateway_saved' }]);

  await box.cut();
  const { flash } = box;
  const runs = flash.active;
  // the connection drops meanwhile
  const slow = await connectGateway(identity, gatewayHostFacts.ports, { flash, applyMs: 60_000 });
  const restored = await call<{ job_id: string }>('/api/v3/cloud_backup/restore', {
    id: kept.data.list[0]!.id,
    sections: ['gateway'],
  });
  const { params } = await slow.command('configure');
  const { uuid } = params as { uuid: number };
  await slow.cut();
  // only our agent deletes unconfirmed files
  flash.files.delete(uuid);
  flash.active = runs;
  const back = await connectGateway(identity, gatewayHostFacts.ports, { flash });
  const now = Math.floor(Date.now() / 1000);
  back.event('unit.config-pending', { uuid, until: now + 90 }, now);
  back.event('unit.config-returned', { uuid, reason: 'the console was not reached within 90 s' });
  await ended(restored, 'reverted');
  expect(back.flash.active).toBe(runs);
  const list: Listed<{ status: string; snapshot_id: string }> = await call('/api/v3/cloud_backup/restore/list', {
    gwid,
  });
  expect(list.data.list).toMatchObject([{ status: 'rolled_back' }]);

  const sections = ['gateway'];
  const undone = await call<{ job_id: string }>('/api/v3/cloud_backup/restore', {
    id: list.data.list[0]!.snapshot_id,
    sections,
  });
  await ended(undone, 'applied');
  await expectConfig(identity.serial, { state: 'in_sync' });
  expect(pushes(back)).toBe(1);
});
