import type { PortalContent, PortalGateway, PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { newId } from '../../platform/database/index.ts';
import { rhidOf } from './adapters/opennds.ts';
import {
  alertOf,
  authmon,
  contentWith,
  freeLimits,
  gatewayHash,
  memoryTemplates,
  newClient,
  nextOf,
  openPage,
  plainFas,
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
const voucher: PortalMethod = { kind: 'voucher', ...freeLimits };

const network = (gateway: PortalGateway, content: PortalContent) =>
  portalNetwork(server, owner, templates, { gateway, content });

const guests = async (gwid: string) =>
  (
    await server.call<{ list: { id: string; mac: string; verified: boolean; identity: string | null }[] }>(
      '/api/v3/portal/guest/list',
      { gwid },
      owner,
    )
  ).data.list;

async function vouchers(gwid: string, change: Record<string, unknown> = {}): Promise<string[]> {
  const { data, code } = await server.call<{ codes: string[] }>(
    '/api/v3/portal/voucher/create',
    {
      gwid,
      name: 'Batch',
      count: 1,
      minutes: 60,
      devices: 1,
      valid_days: 30,
      characters: 'mixed',
      length: 8,
      ...change,
    },
    owner,
  );
  expect(code).toBe(2000);
  return data.codes;
}

describe('openNDS level 1', () => {
  it('lets a guest in with one click by a redirect to the gateway', async () => {
    const { base, secret, gwid } = await network('opennds_1', contentWith([oneClick]));
    const client = newClient();
    const page = await openPage(`${base}/fas?${plainFas(client)}`);
    expect(page.html).toContain('Welcome');
    const connecting = await submit(page, 'one_click');
    const grant = new URL(nextOf(connecting));
    expect(`${grant.origin}${grant.pathname}`).toBe('http://192.168.77.1:2050/opennds_auth/');
    expect(grant.searchParams.get('tok')).toBe(rhidOf(client.hid, secret));
    const online = await openPage(grant.searchParams.get('redir')!);
    expect(online.html).toContain('Time left: 1 h');
    expect(await guests(gwid)).toMatchObject([{ mac: client.mac, verified: false }]);
  });

  it('grants only its own client token, whatever MAC the visitor writes', async () => {
    const { base, secret, gwid } = await network('opennds_1', contentWith([voucher], { remember_days: 30 }));
    const [code] = await vouchers(gwid);
    const guest = newClient();
    await submit(await openPage(`${base}/fas?${plainFas(guest)}`), 'voucher', { voucher: code! });
    const forger = { ...newClient(), mac: guest.mac, ip: guest.ip };
    const page = await openPage(`${base}/fas?${plainFas(forger)}`);
    expect(page.html).not.toContain('Welcome back');
    const refused = await submit(page, 'voucher', { voucher: code! });
    expect(alertOf(refused)).toBe('The maximum number of devices is online with it (1).');
    expect(refused.html).not.toContain(rhidOf(guest.hid, secret));
    expect(refused.html).not.toContain(rhidOf(forger.hid, secret));
  });

  it('refuses a gateway address that is not private', async () => {
    const { base } = await network('opennds_1', contentWith([oneClick]));
    const text = Buffer.from(decodeURIComponent(plainFas(newClient()).slice(4)), 'base64').toString();
    const evil = Buffer.from(text.replace('gatewayaddress=192.168.77.1', 'gatewayaddress=203.0.113.9')).toString(
      'base64',
    );
    const page = await openPage(`${base}/fas?fas=${encodeURIComponent(evil)}`);
    expect(alertOf(page)).toMatch(/^The console cannot verify your gateway/);
  });
});

describe('openNDS level 3', () => {
  it('queues the grant for the gateway and shows the guest online once it is acknowledged', async () => {
    const { base, secret, gwid } = await network('opennds_3', contentWith([oneClick]));
    const client = newClient();
    expect((await authmon(base, 'clear')).html).toBe('');
    expect((await authmon(base, 'view')).html).toBe('*');
    const page = await openPage(`${base}/fas?${sealedFas(client, secret)}`);
    const connecting = await submit(page, 'one_click');
    expect(connecting.html).toContain('Connecting');
    const list = (await authmon(base, 'view')).html;
    const [rhid, minutes, up, down] = decodeURIComponent(list.split(' ')[1]!).split(' ');
    expect([rhid, minutes, up, down]).toEqual([rhidOf(client.hid, secret), '60', '512', '2048']);
    expect(await guests(gwid)).toEqual([]);
    expect((await authmon(base, 'view', `* ${rhid}`)).html).toBe('ack');
    expect((await authmon(base, 'view')).html).toBe('*');
    expect((await openPage(nextOf(connecting))).html).toContain('You are online');
    const unreported = { up_bytes: null, down_bytes: null, signs_out: false, extend_hindrance: 'gateway' };
    expect(await guests(gwid)).toMatchObject([{ mac: client.mac, verified: true, ...unreported }]);
  });

  it('speaks the GET dialect, splits acknowledgements on spaces and sends four at most', async () => {
    const { base, secret, gwid } = await network('opennds_3', contentWith([oneClick]));
    for (let n = 0; n < 6; n += 1)
      await submit(await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`), 'one_click');
    const get = (payload: string) =>
      openPage(
        `${base}/fas?auth_get=view&gatewayhash=${gatewayHash}&payload=${Buffer.from(payload).toString('base64')}`,
      );
    for (const entries of [4, 2, 0]) {
      const words = (await get('none')).html.split(' ').slice(1);
      expect(words.length).toBe(entries);
      const rhids = words.map((word) => decodeURIComponent(word).split(' ')[0]);
      if (rhids.length > 0) expect((await get(`* ${rhids.join(' ')}`)).html).toBe('ack');
    }
    expect((await guests(gwid)).length).toBe(6);
  });

  it('drops a grant that the gateway does not take within 60 s, and says so', async () => {
    const { base, secret } = await network('opennds_3', contentWith([oneClick]));
    const connecting = await submit(await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`), 'one_click');
    clock.advance(61_000);
    expect((await authmon(base, 'view')).html).toBe('*');
    const page = await openPage(nextOf(connecting));
    expect(alertOf(page)).toBe('The gateway did not answer within 60 seconds.');
  });

  it('closes a session with its counters when the gateway reports its end', async () => {
    const { base, secret, gwid } = await network('opennds_3', contentWith([oneClick]));
    const client = newClient();
    await submit(await openPage(`${base}/fas?${sealedFas(client, secret)}`), 'one_click');
    const entry = decodeURIComponent((await authmon(base, 'view')).html.split(' ')[1]!).split(' ');
    await authmon(base, 'view', `* ${entry[0]}`);
    expect((await guests(gwid)).length).toBe(1);
    const payload = `method=timeout_deauth, clientmac=${client.mac}, bytes_incoming=5000, bytes_outgoing=700, custom=${entry[6]}`;
    expect((await authmon(base, 'deauthed', payload)).html).toBe('ack');
    expect(await guests(gwid)).toEqual([]);
    const { rows } = await server.db.database.systemPool.query(
      'select up_bytes, down_bytes, end_reason from portal_session where gwid = $1',
      [gwid],
    );
    expect(rows).toEqual([{ up_bytes: 700, down_bytes: 5000, end_reason: 'gateway' }]);
  });

  it('refuses another key, level 1 parameters and a changed ciphertext', async () => {
    const { base, secret } = await network('opennds_3', contentWith([oneClick]));
    const client = newClient();
    const good = sealedFas(client, secret);
    const bytes = Buffer.from(
      Buffer.from(decodeURIComponent(/fas=([^&]+)/.exec(good)![1]!), 'base64').toString(),
      'base64',
    );
    // block 6 ends the MAC; a flip before garbles it
    bytes[100]! ^= 1;
    const inner = Buffer.from(bytes.toString('base64')).toString('base64');
    const changed = `fas=${encodeURIComponent(inner)}&${/iv=.*/.exec(good)![0]}`;
    for (const query of [sealedFas(client, 'another-key'), plainFas(client), changed]) {
      const page = await openPage(`${base}/fas?${query}`);
      expect(alertOf(page)).toMatch(/^The console cannot verify your gateway/);
    }
  });

  it('knows a verified device again for the days of the template', async () => {
    const { base, secret } = await network('opennds_3', contentWith([oneClick], { remember_days: 2 }));
    const client = newClient();
    const arrive = () => openPage(`${base}/fas?${sealedFas({ ...client, hid: newClient().hid }, secret)}`);
    await submit(await arrive(), 'one_click');
    expect((await arrive()).html).not.toContain('Welcome back');
    const rhid = decodeURIComponent((await authmon(base, 'view')).html.split(' ')[1]!).split(' ')[0];
    await authmon(base, 'view', `* ${rhid}`);
    const back = await arrive();
    expect(back.html).toContain('Welcome back');
    expect((await submit(back, 'remembered')).html).toContain('Connecting');
    clock.advance(3 * 86_400_000);
    expect((await arrive()).html).not.toContain('Welcome back');
  });
});

describe('methods and limits', () => {
  it('takes the fixed password and counts wrong ones', async () => {
    const content = contentWith([{ kind: 'password', ...freeLimits, password: 'open&sesame' }]);
    const { base, secret } = await network('opennds_3', content);
    const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    for (let n = 0; n < 10; n += 1)
      expect(alertOf(await submit(page, 'password', { password: 'no' }))).toBe('The password is wrong.');
    expect(alertOf(await submit(page, 'password', { password: 'open&sesame' }))).toMatch(/^Too many attempts/);
    clock.advance(11 * 60_000);
    expect((await submit(page, 'password', { password: 'open&sesame' })).html).toContain('Connecting');
  });

  it('gives one voucher that 100 devices redeem at once exactly its devices', async () => {
    const { base, secret, gwid } = await network('opennds_3', contentWith([voucher]));
    const [code] = await vouchers(gwid, { devices: 3 });
    const pages = await Promise.all(
      Array.from({ length: 100 }, () => openPage(`${base}/fas?${sealedFas(newClient(), secret)}`)),
    );
    const answers = await Promise.all(
      pages.map((page) => submit(page, 'voucher', { voucher: ` ${code!.toLowerCase()}` })),
    );
    const refused = answers.map(alertOf).filter((text) => text !== null);
    expect(new Set(refused)).toEqual(new Set(['The maximum number of devices is online with it (3).']));
    expect(refused.length).toBe(97);
  });

  it('runs a voucher from its first use and refuses it afterwards, unknown, void or unused too long', async () => {
    const { base, secret, gwid } = await network('opennds_1', contentWith([voucher]));
    const [used, spare, late] = await vouchers(gwid, { count: 3, minutes: 30 });
    const arrive = () => openPage(`${base}/fas?${plainFas(newClient())}`);
    const first = await submit(await arrive(), 'voucher', { voucher: used! });
    expect(nextOf(first)).toContain('opennds_auth');
    clock.advance(31 * 60_000);
    expect(alertOf(await submit(await arrive(), 'voucher', { voucher: used! }))).toBe('This voucher has expired.');
    expect(alertOf(await submit(await arrive(), 'voucher', { voucher: 'AAAAAAAA' }))).toMatch(
      /^There is no such voucher/,
    );
    const { list } = (
      await server.call<{ list: { id: string; used: number; total: number }[] }>(
        '/api/v3/portal/voucher/list',
        { gwid },
        owner,
      )
    ).data;
    expect(list).toMatchObject([{ used: 1, total: 3 }]);
    await server.call('/api/v3/portal/voucher/void', { gwid, id: list[0]!.id, code: spare }, owner);
    expect(alertOf(await submit(await arrive(), 'voucher', { voucher: spare! }))).toBe(
      'This voucher has been cancelled.',
    );
    clock.advance(31 * 86_400_000);
    expect(alertOf(await submit(await arrive(), 'voucher', { voucher: late! }))).toBe('This voucher has expired.');
    expect(secret.length).toBe(32);
  });

  it('keeps no voucher code and no password in clear', async () => {
    const { gwid } = await network('opennds_3', contentWith([voucher]));
    const codes = await vouchers(gwid, { count: 5 });
    const { rows } = await server.db.database.systemPool.query(
      'select portal_voucher::text as row from portal_voucher',
    );
    const all = JSON.stringify(rows);
    for (const code of codes) expect(all).not.toContain(code);
  });

  it('counts the sign-ins of a day', async () => {
    const { base, secret } = await network('opennds_3', contentWith([{ ...oneClick, times_per_day: 2 }]));
    const client = newClient();
    const page = await openPage(`${base}/fas?${sealedFas(client, secret)}`);
    const answers = [];
    for (let n = 0; n < 3; n += 1) {
      answers.push(alertOf(await submit(page, 'one_click')));
      const word = (await authmon(base, 'view')).html.split(' ')[1];
      if (word) await authmon(base, 'view', `* ${decodeURIComponent(word).split(' ')[0]}`);
    }
    expect(answers).toEqual([null, null, 'The sign-ins of today are used up (2).']);
    clock.advance(86_400_000);
    const next = await openPage(`${base}/fas?${sealedFas(client, secret)}`);
    expect(alertOf(await submit(next, 'one_click'))).toBeNull();
  });

  it('lets guests in during the opening hours of the account’s time zone, until they close', async () => {
    // as Shanghai's clocks show it
    const at = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000 + 8 * 3_600_000);
    const time = (date: Date) => date.toISOString().slice(11, 16);
    const days = [1, 2, 3, 4, 5, 6, 7];
    const open = contentWith([{ ...oneClick, minutes: 600 }], {
      hours: [{ days, from: time(at(-1)), to: time(at(2)) }],
    });
    const { base } = await network('opennds_1', open);
    const connecting = await submit(await openPage(`${base}/fas?${plainFas(newClient())}`), 'one_click');
    const online = await openPage(new URL(nextOf(connecting)).searchParams.get('redir')!);
    expect(online.html).toMatch(/Time left: (1 h 59 min|2 h)/);
    const closed = contentWith([oneClick], { hours: [{ days, from: time(at(3)), to: time(at(4)) }] });
    const other = await network('opennds_1', closed);
    const page = await openPage(`${other.base}/fas?${plainFas(newClient())}`);
    expect(alertOf(page)).toBe(
      `The network is closed now. It opens at ${at(3).toISOString().slice(0, 16).replace('T', ' ')}.`,
    );
  });

  it('signs accounts in while they are enabled, on their devices', async () => {
    const { base, secret, gwid } = await network('opennds_3', contentWith([{ kind: 'account', ...freeLimits }]));
    const fields = { name: 'Reception', password: 'open4guests' };
    const created = await server.call<{ id: string }>(
      '/api/v3/portal/member/create',
      { gwid, ...fields, enabled: true, until: null, devices: 2 },
      owner,
    );
    expect(created.code).toBe(2000);
    const over = { gwid, ...fields, name: 'Over', enabled: true, until: clock.now().toISOString(), devices: 1 };
    const refused = await server.call('/api/v3/portal/member/create', over, owner);
    expect(refused.errors).toEqual({ until: ['This time is over: choose a later one'] });
    const answer = async (given: Record<string, string>) =>
      submit(await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`), 'account', given);
    const tryIn = async (given: Record<string, string>) => alertOf(await answer(given));
    const wrong = await answer({ name: '"Front" desk', password: 'wrong-one' });
    expect(alertOf(wrong)).toBe('The account name or the password is wrong.');
    expect(wrong.html).toContain('value="&quot;Front&quot; desk"');
    expect(wrong.html).not.toContain('wrong-one');
    expect(await tryIn({ ...fields, name: 'reception' })).toBeNull();
    expect(await tryIn(fields)).toBeNull();
    expect(await tryIn(fields)).toBe('The maximum number of devices is online with it (2).');
    const off = { gwid, id: created.data.id, enabled: false, until: null, devices: 5 };
    expect((await server.call('/api/v3/portal/member/save', off, owner)).code).toBe(2000);
    expect(await tryIn(fields)).toBe('This account is disabled or has ended.');
  });

  it('sends codes by SMS 60 s apart, and refuses the sixth of a day', async () => {
    const { base, secret } = await network('opennds_3', contentWith([{ kind: 'sms', ...freeLimits }]));
    const phone = '13900001234';
    const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    const ask = (from = page) => submit(from, 'sms', { phone, step: 'send' });
    let asked = await ask();
    expect(asked.html).toContain('the code has not reached your phone');
    expect(alertOf(await ask())).toBe('Wait 60 seconds before you ask for another code.');
    const code = () => server.outbox(phone).at(-1)!.params.code!;
    const wrong = code() === '000000' ? '111111' : '000000';
    expect(alertOf(await submit(asked, 'sms', { phone, code: wrong }))).toBe('The code is wrong or has expired.');
    expect((await submit(asked, 'sms', { phone, code: code() })).html).toContain('Connecting');
    expect(alertOf(await submit(asked, 'sms', { phone, code: code() }))).toBe('The code is wrong or has expired.');
    for (let n = 0; n < 4; n += 1) {
      clock.advance(61_000);
      asked = await ask();
      expect(alertOf(asked)).toBeNull();
    }
    clock.advance(61_000);
    const other = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    expect(alertOf(await ask(other))).toBe('The codes of today for this number are used up (5).');
    expect(server.outbox(phone).length).toBe(5);
    const shop = await network('opennds_3', contentWith([{ kind: 'sms', ...freeLimits }]));
    const elsewhere = await openPage(`${shop.base}/fas?${sealedFas(newClient(), shop.secret)}`);
    expect(alertOf(await ask(elsewhere))).toBeNull();
    expect(server.outbox(phone).length).toBe(6);
  });

  it('shows the advertisement before the grant', async () => {
    const content = contentWith([oneClick]);
    const picture = newId();
    content.page.countdown = { picture, seconds: 5 };
    const { base, secret } = await network('opennds_3', content);
    const shown = await submit(await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`), 'one_click');
    expect(shown.html).toContain('You will be connected in 5 seconds.');
    expect(shown.html).toContain(`/picture/${picture}`);
    expect((await openPage(nextOf(shown))).html).toContain('You will be connected in');
    expect((await authmon(base, 'view')).html).toBe('*');
    clock.advance(5000);
    expect((await openPage(nextOf(shown))).html).toContain('Connecting');
    expect((await authmon(base, 'view')).html).toMatch(/^\* \w/);
  });
});
