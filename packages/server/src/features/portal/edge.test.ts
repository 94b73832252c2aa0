import { createHmac, randomBytes } from 'node:crypto';
import { captiveText, type EdgeCaptive } from '@yunxun/contract/device';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../test/conformance/peer/json.ts';
import { portalDraft, portalLimits } from '../../../test/portal-draft.ts';
import { call, config, ended, fixture, running, startFixture, stopFixture } from '../configuration/testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from '../configuration/testing/gateway.ts';
import { openPage, type Page, submit } from './testing/guest.ts';

const mac = '02:00:00:00:77:01';
let gwid: string;
let serial: string;
let gateway: AccessPoint;
let template: string;

interface Site {
  site: { gateway: string; captive: { lans: string[] } };
  edge: { reason: string | null; lans: { name: string }[]; in_force: boolean; lacks: string[] };
}
interface Guest {
  id: string;
  mac: string;
  verified: boolean;
  up_bytes: number;
  down_bytes: number;
  expires_at: string | null;
}

const draft = (whitelist: object[], more: object = {}) =>
  portalDraft({
    methods: [{ kind: 'one_click', ...portalLimits, minutes: 30, up_kbps: 512, down_kbps: 2048 }],
    whitelist,
    ...more,
  });
const shop = { name: 'Shop', link: 'https://shop.example.com/start' };
const captive = { lans: ['LAN'], exempt_macs: ['02:00:00:00:00:09'], exempt_addresses: ['10.1.0.20'] };
const save = (more: object = {}) =>
  call<{ job_id: string }>('/api/v3/portal/site/save', {
    gwid,
    enabled: true,
    template_id: template,
    gateway: 'edge',
    captive,
    ...more,
  });
const site = async (of = gwid) => (await call<Site>('/api/v3/portal/site', { gwid: of })).data;
const guests = async () => (await call<{ list: Guest[] }>('/api/v3/portal/guest/list', { gwid })).data.list;
const section = () =>
  (JSON.parse(running(gateway)) as { 'third-party': { yunxun: { captive?: EdgeCaptive } } })['third-party'].yunxun
    .captive!;

/** `forged` changes the query after the signature. */
function redirect(of = mac, forged: Record<string, string> = {}): string {
  const { page, secret } = section();
  const query = {
    mac: of,
    ip: '10.1.0.101',
    url: 'http://captive.test/',
    nonce: randomBytes(16).toString('base64url'),
  };
  const sig = createHmac('sha256', secret).update(captiveText(query)).digest('base64url');
  const path = new URL(page).pathname;
  const origin = `http://127.0.0.1:${fixture.server.program.portalPort}`;
  return `${origin}${path}?${new URLSearchParams({ ...query, sig, ...forged })}`;
}

const answered = new Set<unknown>();
const run = () =>
  fixture.server.db.database.systemPool.query('select graphile_worker.add_job($1, job_key => $1, queue_name => $1)', [
    'portal-edge',
  ]);

function answer(id: unknown, error: number): void {
  answered.add(id);
  gateway.sendJson({ jsonrpc: '2.0', id, result: { serial, status: { error, text: '' } } });
}
const pendingGrants = () =>
  gateway.received.flatMap(({ command }) =>
    (command?.params as Json | undefined)?.op === 'grant' && !answered.has(command!.id) ? [command!.id] : [],
  );

/** Answers the next order of this kind; carries out those of the minute's reconciliation. */
async function order(op: 'grant' | 'revoke', of: string, error = 0, meanwhile: () => unknown = () => null) {
  const isWanted = (params: Json) => params.op === op && params.mac === of;
  const next = () => {
    for (const { command } of gateway.received) {
      const params = command?.params as Json | undefined;
      if (!command || params?.tool !== 'captive' || answered.has(command.id)) continue;
      const wanted = isWanted(params);
      answer(command.id, wanted ? error : 0);
      if (wanted) return params;
    }
    return null;
  };
  let found: Json | null = null;
  await expect
    .poll(async () => {
      await meanwhile();
      found ??= next();
      return found;
    })
    .toBeTruthy();
  return found!;
}

/** Not awaited: the gateway has to answer first. */
async function signIn(of = mac): Promise<{ next: Promise<Page> }> {
  const page = await openPage(redirect(of));
  expect(page.html).toContain('name="state"');
  return { next: submit(page, 'one_click') };
}

const report = (list: object[] | null) =>
  gateway.state({
    unit: { uptime: 9000, localtime: Math.floor(Date.now() / 1000) },
    yunxun: list === null ? {} : { captive: { guests: list } },
  });

beforeAll(startFixture);
afterAll(stopFixture);

async function prepare(): Promise<void> {
  const made = await call<{ id: string }>('/api/v3/auth_template/create', { name: 'Lobby', ...draft([shop]) });
  template = made.data.id;
  await call('/api/v3/auth_template/publish', { id: template, revision: 1 });
  const { gwid: own, identity } = await gatewayNetwork();
  gwid = own;
  serial = identity.serial;
  gateway = await connectGateway(
    identity,
    undefined,
    {},
    { captive: true, nftset: true, captiveRates: false, captiveAway: true, captiveRanges: true, connect: true },
  );
  const saved = await call<{ job_id: string }>('/api/v3/network/gateway/save', {
    gwid,
    version: 0,
    settings: settings(),
  });
  await ended(saved, 'applied');
}

it('is offered only where the gateway can capture guests', async () => {
  await prepare();
  expect(await site()).toMatchObject({ site: { gateway: 'edge' }, edge: { reason: null, lans: [{ name: 'LAN' }] } });
  expect((await site()).edge.lacks).toEqual(['rates_kernel']);
  const { gwid: other, identity } = await gatewayNetwork();
  await connectGateway(identity);
  expect(await site(other)).toMatchObject({ site: { gateway: 'opennds_3' }, edge: { reason: 'version' } });
  expect(await save({ gwid: other })).toMatchObject({ code: 422, errors: { gateway: [expect.any(String)] } });
});

it('needs a network of the gateway, and addresses of clients', async () => {
  const required = expect.any(String);
  for (const [lans, text] of [
    [[], required],
    [['LAN', 'Office'], 'The gateway has no network named Office'],
  ])
    expect(await save({ captive: { ...captive, lans } })).toMatchObject({
      code: 422,
      errors: { 'captive.lans': [text] },
    });
  for (const address of ['10.1.0', '0.0.0.0', '127.0.0.1', '224.0.0.1', '255.255.255.255'])
    expect(await save({ captive: { ...captive, exempt_addresses: [address] } })).toMatchObject({
      code: 422,
      errors: { 'captive.exempt_addresses.0': [expect.any(String)] },
    });
  for (const mac of ['ff:ff:ff:ff:ff:ff', '00:00:00:00:00:00', '01:00:5e:00:00:01'])
    expect(await save({ captive: { ...captive, exempt_macs: [mac] } })).toMatchObject({
      code: 422,
      errors: { 'captive.exempt_macs.0': [expect.any(String)] },
    });
});

it('pushes page, whitelist and exempt clients, and masks the secret', async () => {
  await ended(await save(), 'applied');
  expect(section()).toMatchObject({
    interfaces: ['LAN'],
    garden: ['shop.example.com'],
    exempt_macs: ['02:00:00:00:00:09'],
    exempt_addresses: ['10.1.0.20'],
    page: expect.stringMatching(/^http:\/\/[^/]+\/p\/[\w-]{22}\/edge$/),
  });
  const { secret } = section();
  expect(JSON.stringify(await config(serial))).not.toContain(secret);
});

it('shows the sign-in only to a client that the gateway vouches for', async () => {
  expect((await openPage(redirect())).html).toContain('name="state"');
  const forgeries: Record<string, string>[] = [{ mac: '02:00:00:00:77:99' }, { ip: '10.1.0.102' }, { sig: 'x' }];
  for (const forged of forgeries)
    expect((await openPage(redirect(mac, forged))).html, JSON.stringify(forged)).not.toContain('name="state"');
});

it('orders the gateway to let a guest in', async () => {
  const { next } = await signIn();
  const { ticket, ...asked } = await order('grant', mac);
  expect(asked).toMatchObject({ seconds: 1800, up_kbps: 512, down_kbps: 2048 });
  expect((await next).html).toContain('You are online');
  expect(await guests()).toMatchObject([{ mac, verified: true }]);
  await expect
    .poll(async () => {
      // a second report within a second may be dropped
      report([{ ticket, mac, until: null, rx_bytes: 1000, tx_bytes: 5000 }]);
      await run();
      return guests();
    })
    .toMatchObject([{ up_bytes: 1000, down_bytes: 5000 }]);
  expect((await site()).edge.in_force).toBe(true);
  await expect
    .poll(async () => {
      report([{ ticket, mac, until: null, rx_bytes: 10, tx_bytes: 20 }]);
      await run();
      return guests();
    })
    .toMatchObject([{ up_bytes: 1010, down_bytes: 5020 }]);
});

it('disconnects a guest by a command', async () => {
  const [guest] = await guests();
  const kicked = call<{ result: string }>('/api/v3/portal/guest/kick', { gwid, id: guest!.id });
  await order('revoke', mac);
  expect((await kicked).data.result).toBe('disconnected');
  expect(await guests()).toEqual([]);
});

/** A button of the success page; not awaited: the gateway has to answer first. */
function press(page: Page, act: string): { next: Promise<Page> } {
  const s = /name="s" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const action = new URL(/action="([^"]+session)"/.exec(page.html)![1]!, page.url).href;
  return { next: openPage(action, { method: 'POST', body: new URLSearchParams({ s, lang: 'en', act }) }) };
}

it('extends and ends a session from the guest’s page, at the gateway too', async () => {
  const device = '02:00:00:00:77:06';
  const { next } = await signIn(device);
  const { ticket } = await order('grant', device);
  const online = await next;
  expect(online.html).not.toContain('value="extend"');
  await fixture.server.db.database.systemPool.query(
    "update portal_session set expires_at = now() + interval '10 minutes' where mac = $1",
    [device],
  );
  const later = await openPage(online.url);
  const refused = press(later, 'extend');
  await order('grant', device, 1);
  expect((await refused.next).html).toContain('The gateway did not answer. Try again in a moment.');
  const extended = press(later, 'extend');
  expect(await order('grant', device)).toMatchObject({ ticket, seconds: 1800 });
  expect((await extended.next).html).toContain('Time left: 30 min');
  const left = press(later, 'leave');
  expect(await order('revoke', device)).toMatchObject({ ticket });
  const over = await left.next;
  expect(over.html).toContain('You have signed out.');
  expect(over.html).toContain('Sign in again');
  expect(await guests()).toEqual([]);
});

it('extends a guest at the reception, and moves the session to a waiting device', async () => {
  const [old, fresh, other] = ['02:00:00:00:77:07', '02:00:00:00:77:08', '02:00:00:00:77:09'] as const;
  const { next } = await signIn(old);
  const { ticket } = await order('grant', old);
  await next;
  const [guest] = await guests();
  const act = <T>(name: string, input: object) =>
    call<T>(`/api/v3/portal/reception/guest/${name}`, { gwid, id: guest!.id, ...input });
  const extending = act<{ result: string; until: string }>('extend', { minutes: 45 });
  const extended = await order('grant', old);
  expect(extended).toMatchObject({ ticket });
  expect(Number(extended.seconds)).toBeGreaterThan(74 * 60);
  const { result, until } = (await extending).data;
  expect(result).toBe('extended');
  const visitOf = async (keyword: string) => {
    await openPage(redirect(keyword));
    const path = '/api/v3/portal/reception/waiting/list';
    return (await call<{ list: { id: string }[] }>(path, { gwid, keyword })).data.list[0]!.id;
  };
  const visit = await visitOf(fresh);
  const refused = act('move', { visit });
  await order('grant', fresh, 1);
  expect((await refused).data).toEqual({ result: 'refused', old_ends: true });
  expect(await guests()).toMatchObject([{ mac: old }]);
  // one session goes to one of two devices, whichever order is answered first
  const moving = [visit, await visitOf(other)].map((one) => act<{ result: string }>('move', { visit: one }));
  await expect.poll(() => pendingGrants().length).toBe(2);
  for (const id of pendingGrants()) answer(id, 0);
  expect((await Promise.all(moving)).map(({ data }) => data.result).toSorted()).toEqual(['online', 'refused']);
  expect(await order('revoke', old)).toMatchObject({ ticket });
  const [moved, ...others] = await guests();
  expect([moved!.expires_at, others]).toEqual([until, []]);
  const gone = call('/api/v3/portal/reception/guest/sign_out', { gwid, id: moved!.id });
  await order('revoke', moved!.mac);
  expect((await gone).data).toEqual({ result: 'disconnected' });
});

it('walks a guest’s way, and names what the gateway cannot resolve or reach', async () => {
  interface Check {
    step: string;
    state: string;
    finding: string;
    name: string | null;
  }
  const run = () => call<{ checks: Check[] }>('/api/v3/portal/check', { gwid });
  const tools = ['dns', 'connect'];
  const asked = () =>
    gateway.received.filter(({ command }) => tools.includes(String((command?.params as Json | undefined)?.tool)));
  let nth = 0;
  const answer = async (tool: object) => {
    await expect.poll(() => asked().length).toBeGreaterThan(nth);
    const { command } = asked()[nth]!;
    nth += 1;
    gateway.sendJson({ jsonrpc: '2.0', id: command!.id, result: { serial, status: { error: 0, text: '', tool } } });
    return command!.params as Json;
  };
  const resolved = (...answers: object[]) => ({ dns: [{ server: '192.0.2.53', ms: 1, answers, error: null }] });
  const { hostname, port, host } = new URL(section().page);
  // the portal's own host is an address in tests, or resolves
  const isNamed = !/^[\d.]+$/.test(hostname);
  const walk = async (connect: object) => {
    const checking = run();
    if (isNamed) await answer(resolved({ type: 'A', value: '192.0.2.7', ttl: 60 }));
    expect(await answer({ connect })).toMatchObject({ tool: 'connect', target: hostname, port: Number(port) });
    expect(await answer(resolved())).toMatchObject({ target: 'shop.example.com' });
    return (await checking).data.checks;
  };
  expect(await walk({ error: null })).toMatchObject([
    { step: 'capture', state: 'ok' },
    { step: 'dns', state: 'ok' },
    { step: 'port', state: 'ok' },
    { step: 'garden', state: 'wrong', finding: 'unresolved', name: 'shop.example.com' },
    { step: 'payment', state: 'unneeded' },
    { step: 'messages', state: 'unneeded' },
    { step: 'grant', state: 'ok' },
    { step: 'radius', state: 'unneeded' },
  ]);
  expect((await walk({ error: 'ECONNREFUSED' }))[2]).toMatchObject({
    state: 'wrong',
    finding: 'port_closed',
    name: host,
  });
  expect((await walk({ error: 'ENOTFOUND' }))[2]).toMatchObject({
    state: 'wrong',
    finding: 'unresolved',
    name: hostname,
  });
});

it('leaves the guest offline if the gateway refuses the grant', async () => {
  const refused = '02:00:00:00:77:02';
  const { next } = await signIn(refused);
  await order('grant', refused, 1);
  expect((await next).html).toContain('The gateway did not answer');
  expect(await guests()).toEqual([]);
});

it('revokes a grant without a session', async () => {
  const stranger = { ticket: 'a-ticket-of-before', mac: '02:00:00:00:77:05', until: null, rx_bytes: 0, tx_bytes: 0 };
  await order('revoke', stranger.mac, 0, () => {
    report([stranger]);
    return run();
  });
});

it('pushes the whitelist of a newly published template', async () => {
  const more = [shop, { name: 'Menu', link: 'http://menu.example.org' }];
  await call('/api/v3/auth_template/save', { id: template, revision: 1, name: 'Lobby', ...draft(more) });
  await call('/api/v3/auth_template/publish', { id: template, revision: 2 });
  await expect.poll(() => section().garden).toEqual(['menu.example.org', 'shop.example.com']);
});

it('pushes what new guests may do while the console is away, with the opening hours', async () => {
  const hours = [{ days: [1, 2], from: '18:00', to: '02:00' }];
  await call('/api/v3/auth_template/save', {
    id: template,
    revision: 2,
    name: 'Lobby',
    ...draft([shop], { hours, away: 'open' }),
  });
  expect((await call<object>('/api/v3/auth_template/detail', { id: template })).data).toMatchObject({
    hours,
    away: 'open',
  });
  await call('/api/v3/auth_template/publish', { id: template, revision: 3 });
  await expect.poll(() => section().away).toEqual({ zone: 'Asia/Shanghai', hours });
});

it('pushes the opening hours in a new time zone of the account', async () => {
  const { data } = await call<{ version: number }>('/api/v3/account/update', { time_zone: 'Europe/Berlin' });
  expect(data).toMatchObject({ time_zone: 'Europe/Berlin' });
  await expect.poll(() => section().away?.zone).toBe('Europe/Berlin');
  const logged = await call<{ list: { action: string; job_id: string | null }[] }>('/api/v3/log/action/list', {});
  expect(logged.data.list.find(({ action }) => action === 'account.update')?.job_id).toEqual(expect.any(String));
});

it('removes the section when the page is switched off', async () => {
  // the push after the publishing may carry it
  await save({ enabled: false });
  await expect.poll(section).toBeUndefined();
});
