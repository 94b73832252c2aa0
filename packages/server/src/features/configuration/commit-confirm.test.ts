import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOwner } from '../../../test/database.ts';
import { call, ended, house, items, pushes, type Saved, stands, startFixture, stopFixture } from './testing/fixture.ts';
import { boxNetwork, connectBox, settings } from './testing/gateway.ts';

beforeAll(startFixture);
afterAll(stopFixture);

const state = { unit: {}, interfaces: [{ name: 'up0v0', ipv4: { addresses: ['203.0.113.7/24'] } }] };

it('reverts a lost try-out when the gateway comes back late without an event, and does not push it again', async () => {
  const { gwid, identity } = await boxNetwork();
  const connect = (more: object = {}) => connectBox(identity, undefined, { shell: 'nothing', ...more });
  const slow = await connect({ applyMs: 60_000 });
  slow.state(state);
  const saved = await call<Saved>('/api/v3/network/gateway/save', { gwid, version: 0, settings: settings() });
  await slow.command('configure');
  await slow.cut();
  // the confirm window is over
  await asOwner(house.server.db.owner, (client) =>
    client.query(`update config_state set sent_at = sent_at - interval '1 hour' where serial = $1`, [identity.serial]),
  );
  const back = await connect();
  await ended(saved, 'reverted');
  expect(await items(saved.data.job_id)).toMatchObject([{ reason: 'job.returned' }]);
  const returned_at = expect.any(String) as string;
  await stands(identity.serial, { state: 'failed', reasons: ['job.returned'], returned_at });
  back.state(state);
  const shown = () => call<{ reported: object[] }>('/api/v3/network/gateway/get', { gwid });
  await expect.poll(async () => (await shown()).data.reported).not.toEqual([]);
  await back.cut();
  const again = await connect();
  await stands(identity.serial, { state: 'failed', can_retry: true });
  expect([pushes(back), pushes(again)]).toEqual([0, 0]);
});
