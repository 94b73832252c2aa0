import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { newClient, plainFas, sealedFas } from '../../packages/server/src/features/portal/testing/guest.ts';
import { alertOf, GuestBrowser, type GuestPage } from './attack-guests.ts';
import { ask, type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

/** Seconds within which an honest guest is let in while an attack runs. */
const honestSeconds = 5;

let product: Product;
let owner: Person;
let ports: { auth: number; acct: number };

beforeAll(async () => {
  const [portalPort, auth, acct] = await freePorts(3);
  ports = { auth: auth!, acct: acct! };
  product = await startProduct('main', /is ready/, '127.0.0.1', {
    YUNXUN_PORTAL_PORT: String(portalPort),
    YUNXUN_RADIUS_AUTH_PORT: String(auth),
    YUNXUN_RADIUS_ACCT_PORT: String(acct),
    YUNXUN_WEBHOOK_PRIVATE: 'no',
  });
  owner = await register(product, 'owner@example.org');
});
afterAll(() => product?.stop());

describe('RADIUS', () => {
  const victim = { source: '127.0.0.9', identifier: 'lobby-gateway' };
  const client = (gwid: string, name: string) => ({ name, gwid, ...victim, require_ma: false, coa_port: 3799 });

  async function addClient(person: Person, name: string): Promise<string> {
    const { gwid } = await person.call<{ gwid: string }>('/api/v3/network/create', { remark: name });
    const { secret } = await person.call<{ secret: string }>('/api/v3/radius/nas/create', client(gwid, name));
    return secret;
  }

  async function radclient(kind: 'auth' | 'acct', secret: string, lines: string[], tries: number): Promise<string> {
    const to = `127.0.0.1:${kind === 'auth' ? ports.auth : ports.acct}`;
    const child = spawn('/usr/bin/radclient', ['-x', '-r', String(tries), '-t', '3', to, kind, secret]);
    const from = [`Packet-Src-IP-Address = ${victim.source}`, `NAS-Identifier = "${victim.identifier}"`];
    child.stdin.end(`${[...from, ...lines].join('\n')}\n`);
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return out + errors;
  }

  const start = ['Acct-Status-Type = Start', 'Acct-Session-Id = "1"', 'User-Name = "guest"', 'Acct-Session-Time = 0'];

  it('answers an owner who adds the client after twenty accounts took its address and identifier', async () => {
    for (let n = 0; n < 20; n += 1)
      await addClient(await register(product, `squatter-${n}@example.org`), `Squatter-${n}`);
    const secret = await addClient(owner, 'Lobby');
    const wrong = ['User-Name = "guest"', 'User-Password = "guess"', 'Message-Authenticator = 0x00'];
    expect(await radclient('auth', secret, wrong, 3)).toContain('Received Access-Reject');
    expect(await radclient('acct', secret, start, 3)).toContain('Received Accounting-Response');
  });

  it.each([
    ['with Message-Authenticator', ['Message-Authenticator = 0x00']],
    ['without', []],
  ])('gives no answer to a secret of no client, %s', async (_, more) => {
    const lines = ['User-Name = "guest"', 'User-Password = "guess"', ...more];
    expect(await radclient('auth', 'a secret of no client', lines, 1)).toContain('No reply');
  });
});

describe('the guest portal', () => {
  const attacker = new GuestBrowser('127.0.0.66');
  const elsewhere = new GuestBrowser('127.0.0.77');
  const limits = { minutes: 60, times_per_day: 0, up_kbps: 0, down_kbps: 0, devices: 1 };
  let gwid: string;
  let base: string;
  let faskey: string;

  beforeAll(async () => {
    const template = {
      name: 'Lobby',
      methods: [
        { kind: 'voucher', ...limits },
        { kind: 'account', ...limits },
        { kind: 'password', ...limits, password: 'welcome-2026' },
      ],
      page: {
        title: { zh: '大堂无线网', en: 'Lobby Wi-Fi' },
        logo: null,
        background: null,
        carousel: [],
        countdown: null,
        colour: '#0b6e4f',
        text: { zh: '欢迎光临', en: 'Welcome' },
        terms: { zh: '请遵守法律法规', en: 'Please keep the law' },
      },
      whitelist: [],
      jump: '',
      remember_days: 0,
    };
    ({ gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Guests' }));
    const { id } = await owner.call<{ id: string }>('/api/v3/auth_template/create', template);
    await owner.call('/api/v3/auth_template/publish', { id, revision: 1 });
    const site = { gwid, enabled: true, template_id: id, gateway: 'opennds_3' };
    const saved = await owner.call<{ secrets: { settings: string } }>('/api/v3/portal/site/save', site);
    faskey = /faskey='([\w-]{32})'/.exec(saved.secrets.settings)![1]!;
    const read = await owner.call<{ site: { url: string } }>('/api/v3/portal/site', { gwid });
    base = read.site.url;
  });
  afterAll(() => {
    attacker.close();
    elsewhere.close();
  });

  /** Opens the page as a new device whose redirect the gateway has signed. */
  const arrive = (browser: GuestBrowser) => browser.open(`${base}fas?${sealedFas(newClient(), faskey)}`);

  async function vouchers(count: number): Promise<string[]> {
    const batch = { gwid, name: `Batch-${count}`, count, minutes: 60, devices: 1, valid_days: 1 };
    const form = { characters: 'mixed', length: 10 };
    return (await owner.call<{ codes: string[] }>('/api/v3/portal/voucher/create', { ...batch, ...form })).codes;
  }

  /** @returns seconds until the guest was in */
  async function letIn(code: string): Promise<number> {
    const begun = performance.now();
    const answer = await elsewhere.submit(await arrive(elsewhere), 'voucher', { voucher: code });
    expect(alertOf(answer)).toBeNull();
    return (performance.now() - begun) / 1000;
  }

  /**
   * Runs the attack on twenty connections, from when the first tries were checked at once until the guest is in.
   * @returns seconds of the guest
   */
  async function during(
    { free, perSecond }: { free: number; perSecond: number },
    attack: (n: number) => Promise<unknown>,
    honest: () => Promise<number>,
  ): Promise<number> {
    const from = performance.now();
    let begun = 0;
    let checked = 0;
    let over = false;
    const workers = Array.from({ length: 20 }, async () => {
      while (!over) {
        begun += 1;
        await attack(begun);
        checked += 1;
      }
    });
    await expect.poll(() => checked).toBeGreaterThan(free);
    const seconds = await honest().finally(() => {
      over = true;
    });
    expect(checked).toBeLessThan(free + 20 + (perSecond * (performance.now() - from)) / 1000);
    await Promise.all(workers);
    return seconds;
  }

  it('lets a guest in after 2,500 forged arrivals and tries of one address', async () => {
    const [code] = await vouchers(1);
    const forged = await attacker.open(`${base}fas?${plainFas(newClient())}`);
    const page: GuestPage = await arrive(attacker);
    for (let n = 0; n < 2500; n += 25)
      await Promise.all(
        Array.from({ length: 25 }, (_, at) =>
          at % 5 === 0
            ? attacker.open(`${base}fas?fas=forged-${n}-${at}`)
            : attacker.submit(forged.html.includes('name="state"') ? forged : page, 'password', { password: 'guess' }),
        ),
      );
    expect(await letIn(code!)).toBeLessThan(honestSeconds);
  });

  it('lets a guest in while vouchers are guessed by a new device each time', async () => {
    const [code] = await vouchers(2);
    const guess = async (n: number) =>
      attacker.submit(await arrive(attacker), 'voucher', { voucher: `GUESS${String(n).padStart(5, '2')}` });
    const slowed = { free: 100, perSecond: 4 };
    expect(await during(slowed, guess, () => letIn(code!))).toBeLessThan(honestSeconds);
  });

  it('lets the account in while its password is guessed by a new device each time', async () => {
    const member = { gwid, name: 'Reception', password: 'open4guests', enabled: true, until: null, devices: 5 };
    await owner.call('/api/v3/portal/member/create', member);
    const fields = { name: 'Reception', password: 'open4guests' };
    const guess = async () =>
      attacker.submit(await arrive(attacker), 'account', { ...fields, password: 'open4guessing' });
    const slowed = { free: 20, perSecond: 1 };
    const seconds = await during(slowed, guess, async () => {
      const begun = performance.now();
      expect(alertOf(await elsewhere.submit(await arrive(elsewhere), 'account', fields))).toBeNull();
      return (performance.now() - begun) / 1000;
    });
    expect(seconds).toBeLessThan(honestSeconds);
  });
});

describe('the console', () => {
  it('refuses none of fifty right passwords at once', async () => {
    const { email, password } = owner;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask(product, '/api/v3/login', { email, password })),
    );
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 2000));
  });

  it('refuses the ninth event stream of a session and keeps the eight', async () => {
    const opened: AbortController[] = [];
    const open = async () => {
      const stream = new AbortController();
      opened.push(stream);
      const headers = { authorization: `Bearer ${owner.token}` };
      const response = await fetch(`${product.url}/api/v3/live`, { headers, signal: stream.signal });
      return response.headers.get('content-type') ?? '';
    };
    const types = [];
    for (let n = 0; n < 9; n += 1) types.push((await open()).includes('event-stream'));
    for (const stream of opened) stream.abort();
    expect(types).toEqual([...Array.from({ length: 8 }, () => true), false]);
  });

  async function subscribe(url: string) {
    const what = {
      name: 'Hook',
      enabled: true,
      locale: 'en',
      levels: ['FATAL'],
      kinds: [],
      scope: { type: 'all', ids: [] },
    };
    const when = { schedule: [], quiet: null, digest_minutes: 0, repeat_hours: 0, recovery: true };
    const whom = { members: [], member_channels: [], endpoints: [{ type: 'webhook', url }] };
    return ask(product, '/api/v3/alarm_subscription/save', { ...what, ...when, ...whom }, { token: owner.token });
  }

  it('keeps no webhook to a private address in any of its forms', async () => {
    const forms = [
      '::127.0.0.1',
      '::ffff:0:127.0.0.1',
      '::ffff:127.0.0.1',
      'fec0::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::1',
    ];
    const answers = await Promise.all(forms.map((address) => subscribe(`http://[${address}]/`)));
    expect(answers.map(({ status }) => status)).toEqual(forms.map(() => 422));
    expect((await subscribe('https://chat.example.org/a')).code).toBe(2000);
  });
});
