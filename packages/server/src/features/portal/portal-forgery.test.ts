import type { PortalGateway, PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { pruneSessions } from './retention.ts';
import { rowLimits } from './row-limit.ts';
import {
  alertOf,
  contentWith,
  freeLimits,
  gatewayHash,
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

const oneClick: PortalMethod = { kind: 'one_click', ...freeLimits };

const network = (gateway: PortalGateway, ...methods: PortalMethod[]) =>
  portalNetwork(server, owner, templates, { gateway, content: contentWith(methods) });

const poll = async (base: string, act: string, payload = 'none') =>
  (
    await openPage(`${base}/fas`, {
      method: 'POST',
      body: new URLSearchParams({
        auth_get: act,
        gatewayhash: gatewayHash,
        payload: Buffer.from(payload).toString('base64'),
      }),
    })
  ).html;

const entriesOf = (list: string) =>
  list
    .split(' ')
    .slice(1)
    .map((word) => decodeURIComponent(word).split(' '));

const count = async (table: string, gwid: string) =>
  Number(
    (await server.db.database.systemPool.query(`select count(*) from ${table} where gwid = $1`, [gwid])).rows[0].count,
  );

it('offers a fifth grant although four earlier ones were not taken', async () => {
  const { base, secret } = await network('opennds_3', oneClick);
  for (let n = 0; n < 5; n += 1)
    await submit(await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`), 'one_click');
  const seen = new Set<string>();
  const look = async () => {
    for (const [rhid] of entriesOf(await poll(base, 'view'))) seen.add(rhid!);
    return seen.size;
  };
  await expect.poll(look).toBe(5);
});

it('frees no place of a guest for a report that the visitor may have sent', async () => {
  const { base, secret, gwid } = await network('opennds_3', { kind: 'account', ...freeLimits });
  const fields = { name: 'Reception', password: 'open4guests' };
  const member = { gwid, ...fields, enabled: true, until: null, devices: 1 };
  expect((await server.call('/api/v3/portal/member/create', member, owner)).code).toBe(2000);
  const tryIn = async () =>
    alertOf(await submit(await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`), 'account', fields));
  expect(await tryIn()).toBeNull();
  const [entry] = entriesOf(await poll(base, 'view'));
  expect(await poll(base, 'view', `* ${entry![0]}`)).toBe('ack');
  expect(await poll(base, 'deauthed', `method=client_deauth, custom=${entry![6]}`)).toBe('ack');
  expect(await tryIn()).toBe('The maximum number of devices is online with it (1).');
  clock.advance(61 * 60_000);
  expect(await tryIn()).toBeNull();
});

it('keeps a limited number of refused arrivals of an address and hour', async () => {
  const { base, gwid } = await network('opennds_3', oneClick);
  const beyond = rowLimits.refusedArrivals.address + 20;
  await Promise.all(Array.from({ length: beyond }, () => openPage(`${base}/fas?fas=forged`)));
  expect(await count('portal_visit', gwid)).toBe(rowLimits.refusedArrivals.address);
  clock.advance(3_600_000);
  await openPage(`${base}/fas?fas=forged`);
  expect(await count('portal_visit', gwid)).toBe(rowLimits.refusedArrivals.address + 1);
});

it('counts guesses that come at the same time', async () => {
  const { base, secret } = await network('opennds_3', { kind: 'password', ...freeLimits, password: 'open&sesame' });
  const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
  const tries = Array.from({ length: 30 }, () => submit(page, 'password', { password: 'no' }));
  const wrong = (await Promise.all(tries)).map(alertOf).filter((text) => text === 'The password is wrong.');
  expect(wrong.length).toBe(10);
});

it('sends a device five codes an hour, whatever its numbers', async () => {
  const { base, secret } = await network('opennds_3', { kind: 'sms', ...freeLimits });
  const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
  const answers = [];
  for (let n = 0; n < 6; n += 1)
    answers.push(alertOf(await submit(page, 'sms', { phone: `1390000567${n}`, step: 'send' })) === null);
  expect(answers).toEqual([true, true, true, true, true, false]);
  const other = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
  expect(alertOf(await submit(other, 'sms', { phone: '13900005679', step: 'send' }))).toBeNull();
});

it('forgets visits and what was never granted earlier than sessions', async () => {
  const { base, secret, gwid } = await network('opennds_3', oneClick);
  for (let n = 0; n < 2; n += 1)
    await submit(await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`), 'one_click');
  const [entry] = entriesOf(await poll(base, 'view'));
  await poll(base, 'view', `* ${entry![0]}`);
  const { database } = server.db;
  await database.systemPool.query("update portal_session set state = 'ended' where gwid = $1", [gwid]);
  const inAWeek = new Date(clock.now().getTime() + 8 * 86_400_000);
  await database.withSystem((tx) => pruneSessions(tx, inAWeek));
  expect([await count('portal_session', gwid), await count('portal_visit', gwid)]).toEqual([1, 0]);
});
