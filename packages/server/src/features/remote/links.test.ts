import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { logHead } from '../../../test/endpoints.ts';
import { host } from '../../../test/seed.ts';
import { type SeededPerson, seedPerson } from '../../../test/seed-account.ts';
import type { As } from '../../../test/server.ts';
import { type SshHost, sshHost } from './testing/agent-fixture.ts';
import { TerminalPage } from './testing/page.ts';
import { RfbDouble } from './testing/rfb.ts';
import { RemoteSite } from './testing/site.ts';

let site: RemoteSite;
let addresses = 120;
const guest = 'Li Wei';
const size = { cols: 80, rows: 24 };

beforeAll(async () => {
  site = await RemoteSite.start();
});
afterEach(async () => {
  await site.allow(true);
  await site.endAll();
});
afterAll(() => site.stop());

interface Made {
  id: string;
  url: string;
  secret: string;
}

async function make(given: object = { serial: site.identity.serial, kind: 'shell' }, as?: As): Promise<Made> {
  const asked = { guest, purpose: 'Repair', minutes: 30, ...given };
  const { code, data } = await site.call<{ id: string; url: string }>('remote/link/create', asked, as);
  expect(code).toBe(2000);
  return { ...data, secret: data.url.split('/').at(-1)! };
}

/** Without a sign-in. */
const call = <T = { id: string; page: string }>(what: string, body: object) =>
  site.server.call<T>(`/api/v3/remote/link/${what}`, body, {} as As);
const open = ({ secret }: Made) => call('open', { secret, ...size });

async function enter(made: Made): Promise<TerminalPage> {
  const { code, data } = await open(made);
  expect(code).toBe(2000);
  await site.join();
  return TerminalPage.open(site.server, data.id, { link: data.page, ...size });
}

async function shell(made?: Made): Promise<TerminalPage> {
  const page = await enter(made ?? (await make()));
  await page.shows('box login: ');
  return page;
}

async function member(role: string): Promise<SeededPerson> {
  const person = await seedPerson(site.server);
  await site.server.db.query(
    'insert into member (account_id, person_id, person_account_id, role) values ($1, $2, $3, $4)',
    [site.owner.accountId, person.userId, person.accountId, role],
  );
  return person;
}

const states = async () => {
  const { data } = await site.call<{ list: { id: string; state: string }[] }>('remote/link/list', { limit: 50 });
  return new Map(data.list.map(({ id, state }) => [id, state]));
};

describe('a link', () => {
  it('opens one session for a technician, and is used up', async () => {
    const made = await make();
    expect(made.url).toMatch(/^http.*\/remote\/link\/[A-Za-z0-9_-]{22}$/);
    const looked = await call<object>('look', { secret: made.secret });
    expect(Object.keys(looked.data).toSorted()).toEqual(
      ['account_name', 'guest', 'kind', 'network', 'purpose', 'recorded', 'target', 'until'].toSorted(),
    );
    expect(looked.data).toMatchObject({ guest, kind: 'shell', network: 'Depot', purpose: 'Repair', recorded: false });
    const before = await logHead(site.server, site.owner.accountId);
    const page = await shell(made);
    expect(await logHead(site.server, site.owner.accountId)).toBe(before + 1);
    page.type('ls\r');
    await page.shows('ls\r');
    const { data } = await site.call<{ list: object[] }>('remote/list', { open: true });
    expect(data.list).toMatchObject([{ guest, user: site.owner.email, mine: false, state: 'open' }]);
    const inbox = await site.call<{ list: object[] }>('message/list');
    expect(inbox.data.list[0]).toMatchObject({ template: 'remoteLinkOpened', params: { guest, purpose: 'Repair' } });
    expect((await open(made)).code).toBe(4013);
    expect((await call('look', { secret: made.secret })).code).toBe(4013);
    expect((await states()).get(made.id)).toBe('used');
    page.say({ type: 'end' });
    expect(await page.hears('end')).toMatchObject({ reason: 'by_person' });
  });

  it('lets the page that opened it return', async () => {
    const { data } = await open(await make());
    await site.join();
    const hello = { link: data.page, ...size };
    const page = await TerminalPage.open(site.server, data.id, hello);
    await page.shows('box login: ');
    page.close();
    const again = await TerminalPage.open(site.server, data.id, hello);
    await again.shows('box login: ');
    again.say({ type: 'end' });
    expect(await again.hears('end')).toMatchObject({ reason: 'by_person' });
    const late = await TerminalPage.open(site.server, data.id, hello);
    expect(await late.hears('end')).toMatchObject({ reason: 'by_person' });
  });

  it('has an address that no referrer shows', async () => {
    const { url } = await make();
    const page = await fetch(new URL(new URL(url).pathname, site.server.url));
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('opens a screen', async () => {
    const id = await site.peripheral(`192.168.1.${addresses++}`, new RfbDouble().server, { screen_port: 5900 });
    const page = await enter(await make({ peripheral_id: id, kind: 'vnc' }));
    await page.shows('RFB 003.008\n');
  });

  it('sends a kept sign-in to a host only when a member has trusted its key', async () => {
    let tried = 0;
    const signIn: SshHost['signIn'] = (context) => {
      tried += 1;
      if (context.method === 'password') context.accept();
      else context.reject(['password']);
    };
    const id = await site.peripheral(`192.168.1.${addresses++}`, sshHost({ signIn }), { shell_port: 22 });
    const target = { peripheral_id: id };
    const waits = async () =>
      (await site.call<{ waits_for_key: boolean }>('remote/targets', target)).data.waits_for_key;
    expect(await waits()).toBe(false);
    await site.call('remote/credential/save', { ...target, user: 'root', password: 'right', version: 0 });
    expect(await waits()).toBe(true);
    const early = await enter(await make({ ...target, kind: 'ssh' }));
    expect(await early.hears('end')).toMatchObject({ reason: 'no_host_key' });
    expect(early.outputs.map(({ type }) => type)).not.toContain('host_key');
    expect(tried).toBe(0);

    const session = await site.open(target, 'ssh');
    await site.join();
    const own = await TerminalPage.of(site.server, session, site.owner);
    const { offered } = await own.hears('host_key');
    await site.call('remote/host_key/accept', { id: session, fingerprint: offered });
    own.say({ type: 'trusted' });
    await own.shows('welcome$ ');
    expect(await waits()).toBe(false);
    await (await enter(await make({ ...target, kind: 'ssh' }))).shows('welcome$ ');
  });

  it('is over after its time', async () => {
    const made = await make();
    await site.server.db.query("update remote_link set until = now() - interval '1 second' where id = $1", [made.id]);
    expect((await call('look', { secret: made.secret })).code).toBe(4014);
    expect((await open(made)).code).toBe(4014);
    expect((await states()).get(made.id)).toBe('expired');
  });

  it('ends its session when it is revoked', async () => {
    const made = await make();
    const page = await shell(made);
    expect((await site.call('remote/link/revoke', { id: made.id })).code).toBe(2000);
    expect(await page.hears('end')).toMatchObject({ reason: 'revoked' });
    const unused = await make();
    await site.call('remote/link/revoke', { id: unused.id });
    expect((await open(unused)).code).toBe(4014);
    expect((await states()).get(unused.id)).toBe('revoked');
  });

  it('stays unused while its device is offline', async () => {
    const made = await make();
    await site.server.db.query('update device set online_since = null, online = false where serial = $1', [
      site.identity.serial,
    ]);
    expect((await open(made)).code).toBe(4102);
    await site.server.db.query('update device set online_since = now(), online = true where serial = $1', [
      site.identity.serial,
    ]);
    await shell(made);
  });

  it('is refused for what cannot be opened, and beyond eight hours', async () => {
    const id = await site.peripheral(`192.168.1.${addresses++}`, createServer(), {});
    const asked = { peripheral_id: id, kind: 'ssh', guest, purpose: 'Repair', minutes: 30 };
    expect(await site.call('remote/link/create', asked)).toMatchObject({ code: 4114, data: { reason: 'no_port' } });
    for (const minutes of [14, 481])
      expect((await site.call('remote/link/create', { ...asked, minutes })).code).toBe(422);
  });
});

describe('the maker of a link', () => {
  it('takes its session along when removed from the account', async () => {
    const maker = await member('operator');
    const as = { token: maker.token, account: site.owner.accountId };
    const [made, later] = [await make(undefined, as), await make(undefined, as)];
    const page = await shell(made);
    expect((await site.call('account/member/remove', { id: maker.userId })).code).toBe(2000);
    expect(await page.hears('end')).toMatchObject({ reason: 'no_rights' });
    expect((await open(later)).code).toBe(4014);
  });

  it('takes its session along when the account is locked', async () => {
    const hosted = await seedPerson(site.server);
    await host(site.server, site.owner.accountId, hosted.accountId, ['network.read', 'remote.use']);
    const page = await shell(await make(undefined, { token: hosted.token, account: site.owner.accountId }));
    await site.server.db.query('update account set locked_at = now() where account_id = $1', [hosted.accountId]);
    expect(await page.hears('end')).toMatchObject({ reason: 'no_rights' });
  });

  it('cannot join the session of the technician', async () => {
    const made = await make();
    const { data } = await open(made);
    await site.join();
    const page = await TerminalPage.of(site.server, data.id, site.owner);
    expect([await page.leaves(), page.outputs]).toEqual([1008, []]);
  });
});

describe('the switch of the account', () => {
  it('ends sessions of links, and closes links until it is on again', async () => {
    const [made, later] = [await make(), await make()];
    const page = await shell(made);
    await site.allow(false);
    expect(await page.hears('end')).toMatchObject({ reason: 'switched_off' });
    expect((await open(later)).code).toBe(4014);
    expect((await call('look', { secret: later.secret })).code).toBe(4014);
    await site.allow(true);
    await shell(later);
  });
});

describe('strangers', () => {
  it('neither see nor revoke links of another account', async () => {
    const made = await make();
    const stranger = await seedPerson(site.server);
    const { data } = await site.call<{ total: number }>('remote/link/list', {}, stranger);
    expect(data.total).toBe(0);
    expect((await site.call('remote/link/revoke', { id: made.id }, stranger)).code).toBe(4113);
    expect((await states()).get(made.id)).toBe('open');
  });

  it('join no session with another secret', async () => {
    const [one, other] = [await open(await make()), await open(await make())];
    const hellos = [
      { link: other.data.page, ...size },
      { link: 'x', ...size },
      { link: one.data.page, cols: 0, rows: 1 },
    ];
    for (const hello of hellos) {
      const page = await TerminalPage.open(site.server, one.data.id, hello);
      expect([await page.leaves(), page.outputs]).toEqual([1008, []]);
    }
    await site.join();
    await site.join();
  });

  it('guess no more than twenty secrets an hour', async () => {
    const made = await make();
    const wrong = () => call('look', { secret: 'A'.repeat(22) });
    for (let tries = 0; tries < 20; tries += 1) expect((await wrong()).code).toBe(4014);
    expect((await wrong()).code).toBe(429);
    expect((await open(made)).code).toBe(429);
  });

  it('find no secret in the database or the log', async () => {
    const { secret } = await make();
    const { rows } = await site.server.db.database.systemPool.query(
      `select l::text as text from remote_link l where account_id = $1
       union all select o::text from operation_log o where account_id = $1`,
      [site.owner.accountId],
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});
