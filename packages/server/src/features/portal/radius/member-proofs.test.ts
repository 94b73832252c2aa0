import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { portalDraft } from '../../../../test/portal-draft.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { createLocalBus } from '../../../platform/bus/index.ts';
import { natsServer, startNats } from '../../../platform/bus/testing/nats-server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { attribute, bytesOf } from '../../radius/dictionary.ts';
import { codes, type Packet } from '../../radius/packet.ts';
import { contentWith, memoryTemplates } from '../testing/guest.ts';
import { type Asking, type MemberNetwork, openMembers } from '../testing/radius-members.ts';
import { createMemberProofs } from './member-proofs.ts';

const opened = { port: 0, isChosen: true };
const config = { radiusAuthPort: opened, radiusAcctPort: opened };
const sessionOf = (packet: Packet) => bytesOf(packet, 'Class')?.toString();
const mac = '02-00-00-00-0B-01';
const octets = (bytes: number) => [
  attribute('Calling-Station-Id', mac),
  attribute('Acct-Session-Time', bytes),
  attribute('Acct-Output-Octets', bytes),
];

describe('a proved password', () => {
  const templates = memoryTemplates();
  let server: TestServer;
  let owner: Registered;

  beforeAll(async () => {
    server = await startTestServer({ portalTemplates: templates, config });
  });
  beforeEach(async () => {
    owner = await server.register();
  });
  afterAll(() => server.stop());

  async function withoutPortal<T>(work: () => Promise<T>): Promise<T> {
    await server.db.query('begin');
    await server.db.query('lock table portal_session, portal_member, portal_site in access exclusive mode');
    try {
      return await work();
    } finally {
      await server.db.query('rollback');
    }
  }

  it('goes on with the session, without a statement and without a sign-in of the day', async () => {
    const { create, signIn, online } = await openMembers(server, owner, templates, { times_per_day: 1 });
    await create({ radius: true });
    const { packet } = await signIn();
    const session = sessionOf(packet);
    await withoutPortal(async () => {
      for (const by of ['mschap', 'pap', 'chap'] as const) {
        const again = (await signIn({ by })).packet;
        expect([again.code, sessionOf(again)]).toEqual([codes.accessAccept, session]);
      }
    });
    await server.restart();
    const later = (await signIn()).packet;
    expect([later.code, sessionOf(later)]).toEqual([codes.accessAccept, session]);
    expect(await online()).toMatchObject([{ id: session }]);
  });

  it('answers no wrong one, which counts as a guess', async () => {
    const { gwid, create, signIn } = await openMembers(server, owner, templates);
    await create({ radius: true });
    const guesses = async () => {
      const found = await server.db.query('select count from throttle where key like $1', [`portal:${gwid}:%`]);
      return found.rows.map(({ count }) => count);
    };
    for (const wrong of [1, 2]) {
      expect((await signIn()).packet.code).toBe(codes.accessAccept);
      expect((await signIn({ typed: 'guess' })).packet.code).toBe(codes.accessReject);
      expect(await guesses()).toEqual([wrong]);
    }
  });

  it('moves the session to the access point that asks, with its bytes', async () => {
    const { create, signIn, account, online } = await openMembers(server, owner, templates);
    await create({ radius: true });
    await signIn({ session: 'one' });
    await account('start', 'one', octets(0));
    await account('interim', 'one', octets(100));
    await signIn({ session: 'two' });
    await account('start', 'two', octets(0));
    await account('stop', 'one', octets(130));
    await account('interim', 'two', octets(7));
    expect(await online()).toMatchObject([{ down_bytes: 137 }]);
    await account('stop', 'two', octets(9));
    expect(await online()).toEqual([]);
    expect((await signIn({ session: 'two' })).packet.code).toBe(codes.accessAccept);
    expect(await online()).toHaveLength(1);
  });

  it('finds the access point by its reports where requests have no Acct-Session-Id', async () => {
    const { create, signIn, account, online } = await openMembers(server, owner, templates);
    await create({ radius: true });
    const again = async () => expect((await signIn({ session: null })).packet.code).toBe(codes.accessAccept);
    await again();
    await account('start', 'one', octets(0));
    await account('interim', 'one', octets(100));
    await again();
    await account('start', 'two', octets(0));
    await account('stop', 'one', octets(130));
    await account('interim', 'two', octets(7));
    expect(await online()).toMatchObject([{ down_bytes: 137 }]);
    await again();
    await account('interim', 'two', octets(9));
    await account('stop', 'two', octets(11));
    expect(await online()).toEqual([]);
  });
});

describe('the time of a proof', () => {
  const minute = 60_000;
  const site = { accountId: '01a20690-0000-7000-8000-000000000001', gwid: '01a20690-0000-7000-8000-000000000002' };
  const asking = { username: 'reception', mac: '020000000b01', proves: () => true };
  const member = { id: 'member', until: null, sealed: Buffer.of(1), password: 'open4guests' };
  const limits = { minutes: 0, up_kbps: 0, down_kbps: 0, devices: 0, times_per_day: 0 };
  const proven = { sessionId: 'session', limits, expiresAt: null, maxBytes: 0, acctSessionId: 'one' };
  const blocked = { changedSubject: (accountId: string) => `users.${accountId}.listed` };

  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** The database finds nothing changed. */
  function proofs() {
    const dialect = {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    };
    const [clock, bus] = [new ManualClock(), createLocalBus(() => undefined)];
    const made = createMemberProofs({ database: { system: new Kysely({ dialect }) }, bus, clock, blocked });
    made.keep(made.begin(), site, asking, member, proven);
    return { clock, bus, ...made };
  }

  it('ends also when the clock is set back', async () => {
    const { clock, bus, recall } = proofs();
    expect(await recall(site, asking)).toMatchObject(proven);
    const listed = async (mac: string) => bus.publish(blocked.changedSubject(site.accountId), { macs: [mac] });
    await listed(asking.mac);
    clock.advance(-60 * minute);
    await vi.advanceTimersByTimeAsync(13 * minute);
    await listed('020000000b02');
    expect(await recall(site, asking)).toBeNull();
  });

  it('takes its password out of memory', async () => {
    const { clock } = proofs();
    clock.advance(11 * minute);
    await vi.advanceTimersByTimeAsync(11 * minute);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.skipIf(!natsServer && !process.env.CI)('in two processes (skipped where nats-server is not installed)', () => {
  const templates = memoryTemplates();
  let nats: Awaited<ReturnType<typeof startNats>>;
  let first: TestServer;
  let second: TestServer;
  let network: MemberNetwork;
  let id: string;

  beforeAll(async () => {
    nats = await startNats();
    const both = { portalTemplates: templates, config: { ...config, busUrl: nats.url } };
    first = await startTestServer(both);
    const db = { ...first.db, database: await first.db.reopen(), drop: async () => undefined };
    second = await startTestServer({ ...both, db });
  });
  beforeEach(async () => {
    network = await openMembers(first, await first.register(), templates);
    id = await network.create({ radius: true });
    // the second one has heard of the client
    const isHeard = () =>
      network.signIn({ at: second }).then(
        () => true,
        () => false,
      );
    await expect.poll(isHeard).toBe(true);
  });
  afterAll(async () => {
    await second.stop();
    await first.stop();
    await nats.stop();
  });

  const code = async (asking: Asking) => (await network.signIn(asking)).packet.code;
  const member = (more: object) => () => network.save(id, more);
  const site = (more: object) => () => network.call('portal/site/save', { gwid: network.gwid, ...more });

  /** Publishes a page without sign-in by account. */
  const content = (change: () => Promise<unknown>) => async () => {
    const { data } = await network.call<{ site: { template: { id: string } } }>('portal/site', { gwid: network.gwid });
    templates.set(data.site.template.id, contentWith([]));
    return change();
  };

  async function publish() {
    const { data } = await network.call<{ id: string }>('auth_template/create', { name: 'Shops', ...portalDraft() });
    return network.call('auth_template/publish', { id: data.id, revision: 1 });
  }

  it.each([
    ['another password', member({ password: 'changed4all' })],
    ['an account that is off', member({ enabled: false })],
    ['an account without RADIUS', member({ radius: false })],
    ['a deleted account', () => network.call('portal/member/delete', { gwid: network.gwid, ids: [id] })],
    ['a blocked device', () => network.call('user_online/block', { macs: [mac.replaceAll('-', '').toLowerCase()] })],
    ['a page that is off', site({ enabled: false })],
    ['another version of the page', content(publish)],
    ['an account in another time zone', content(() => network.call('account/update', { time_zone: 'Asia/Tokyo' }))],
  ])('ends in both with %s', async (_, change) => {
    for (const at of [first, second])
      for (const _time of ['checked', 'remembered']) expect(await code({ at })).toBe(codes.accessAccept);
    expect(await change()).toMatchObject({ code: 2000 });
    for (const at of [first, second]) await expect.poll(() => code({ at })).toBe(codes.accessReject);
  });

  it('ends in both with the session', async () => {
    const before = sessionOf((await network.signIn({ at: second })).packet);
    await network.account('stop', 'S-1');
    await expect.poll(async () => sessionOf((await network.signIn({ at: second })).packet)).not.toBe(before);
  });

  it('follows a device that comes back to the access point of the other one', async () => {
    await network.signIn({ at: first, session: 'one' });
    await network.signIn({ at: second, session: 'two' });
    await expect
      .poll(async () => {
        await network.signIn({ at: first, session: 'one' });
        const { rows } = await first.db.query('select acct_session_id from portal_session where gwid = $1', [
          network.gwid,
        ]);
        return rows.map(({ acct_session_id: id }) => id);
      })
      .toEqual(['one']);
    await network.account('stop', 'two');
    expect(await network.online()).toHaveLength(1);
  });
});
