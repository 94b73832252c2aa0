import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOwner } from '../../../test/database.ts';
import {
  call,
  ended,
  expectConfig,
  fixture,
  items,
  pushes,
  type Saved,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from './testing/gateway.ts';

beforeAll(startFixture);
afterAll(stopFixture);

const state = { unit: {}, interfaces: [{ name: 'up0v0', ipv4: { addresses: ['203.0.113.7/24'] } }] };

/** Cuts the gateway off while it is sent settings, and lets the confirm window pass. */
async function lostPush() {
  const { gwid, identity } = await gatewayNetwork();
  const connect = (more: object = {}) => connectGateway(identity, undefined, { shell: 'nothing', ...more });
  const slow = await connect({ applyMs: 60_000 });
  slow.state(state);
  const saved = await call<Saved>('/api/v3/network/gateway/save', { gwid, version: 0, settings: settings() });
  const { params } = await slow.command('configure');
  await slow.cut();
  await asOwner(fixture.server.db.owner, (client) =>
    client.query(`update config_state set sent_at = sent_at - interval '1 hour' where serial = $1`, [identity.serial]),
  );
  return { gwid, identity, connect, saved, uuid: (params as { uuid: number }).uuid };
}

it.each([
  ['names it as taken back', (uuid: number) => ({ returned: uuid })],
  ['is older and names none', () => ({})],
])('reverts a lost try-out without an event, and does not push it again, if the agent %s', async (_what, answer) => {
  const { gwid, identity, connect, saved, uuid } = await lostPush();
  const back = await connect(answer(uuid));
  await ended(saved, 'reverted');
  expect(await items(saved.data.job_id)).toMatchObject([{ reason: 'job.returned' }]);
  const returned_at = expect.any(String) as string;
  await expectConfig(identity.serial, { state: 'failed', reasons: ['job.returned'], returned_at });
  back.state(state);
  const shown = () => call<{ reported: object[] }>('/api/v3/network/gateway/get', { gwid });
  await expect.poll(async () => (await shown()).data.reported).not.toEqual([]);
  await back.cut();
  const again = await connect(answer(uuid));
  await expectConfig(identity.serial, { state: 'failed', can_retry: true });
  expect([pushes(back), pushes(again)]).toEqual([0, 0]);
});

it.each([
  ['none', () => 0],
  ['an earlier one', (uuid: number) => uuid - 1],
])('sends a document that never arrived again, to an agent that names %s as taken back', async (_what, returned) => {
  const { identity, connect, saved, uuid } = await lostPush();
  const back = await connect({ returned: returned(uuid) });
  await expectConfig(identity.serial, { state: 'in_sync' });
  // the push of the return may deliver it first
  const delivered = { status: expect.stringMatching(/^(applied|skipped)$/) };
  await expect.poll(() => items(saved.data.job_id)).toMatchObject([delivered]);
  expect(pushes(back)).toBe(1);
  expect(back.flash.active).toBeGreaterThan(uuid);
});
