import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { loginOf, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import {
  alertOf,
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  openPage,
  sealedFas,
  submit,
} from './testing/guest.ts';
import { portalNetwork } from './testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
});
beforeEach(async () => {
  owner = await server.register();
});
afterAll(() => server.stop());

const network = (every: 'day' | 'week') =>
  portalNetwork(server, owner, templates, {
    gateway: 'opennds_3',
    content: contentWith([{ kind: 'dynamic_password', ...freeLimits, every }], { remember_days: 7 }),
  });
async function shown(gwid: string) {
  // a session of the console ends sooner
  const { token } = await server.call('/api/v3/login', loginOf(owner));
  const as = { token: token! };
  return (
    await server.call<{ password: string; until: string }>('/api/v3/portal/dynamic_password/reveal', { gwid }, as)
  ).data;
}
const hourMs = 3_600_000;

it('changes at local midnight, lets guests in, and is another in each network', async () => {
  const { base, secret, gwid } = await network('day');
  const { password, until } = await shown(gwid);
  expect(password).toMatch(/^[2-9A-HJ-NP-Z]{6}$/);
  expect(until).toBe('2026-11-23T16:00:00.000Z');
  const other = await network('day');
  expect((await shown(other.gwid)).password).not.toBe(password);
  const arrive = (client = newClient()) => openPage(`${base}/fas?${sealedFas(client, secret)}`);
  const tryIn = async (typed: string, client = newClient()) =>
    alertOf(await submit(await arrive(client), 'dynamic_password', { password: typed }));
  const known = newClient();
  expect(await tryIn(`${password.slice(0, 3).toLowerCase()} ${password.slice(3)}`, known)).toBeNull();
  clock.advance(12 * hourMs);
  expect((await arrive(known)).html).not.toContain('Welcome back');
  expect(await tryIn(password, known)).toBe('The password is wrong.');
  const next = await shown(gwid);
  expect(next.until).toBe('2026-11-24T16:00:00.000Z');
  expect(await tryIn(next.password)).toBeNull();
});

it('holds for a week from Monday', async () => {
  const { gwid } = await network('week');
  const first = await shown(gwid);
  expect(first.until).toBe('2026-11-29T16:00:00.000Z');
  clock.advance(5 * 24 * hourMs);
  expect(await shown(gwid)).toEqual(first);
  clock.advance(24 * hourMs);
  expect((await shown(gwid)).password).not.toBe(first.password);
});

it('says that a network has none, and logs each view', async () => {
  const { gwid } = await portalNetwork(server, owner, templates, {
    gateway: 'opennds_3',
    content: contentWith([{ kind: 'one_click', ...freeLimits }]),
  });
  const state = await server.call('/api/v3/portal/dynamic_password', { gwid }, owner);
  expect(state.data).toEqual({ every: null, until: null });
  expect((await server.call('/api/v3/portal/dynamic_password/reveal', { gwid }, owner)).code).toBe(4113);
  const daily = await network('day');
  await shown(daily.gwid);
  const { data } = await server.call<{ list: object[] }>('/api/v3/log/action/list', { gwid: daily.gwid }, owner);
  expect(data.list).toContainEqual(expect.objectContaining({ action: 'portal.dynamic_password' }));
});
