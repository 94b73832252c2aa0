import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captiveForms, captiveText, type EdgeCaptive, relayText } from '@yunxun/contract/device';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changes } from '../apply/changes.ts';
import { nothingOwned } from '../apply/ownership.ts';
import { readDocument } from '../document/index.ts';
import { changed } from '../document/testing/changes.ts';
import { fullFacts, type JsonObject } from '../document/testing/documents.ts';
import { ManualClock } from '../manual-clock.ts';
import { emptyPlan, type Plan, render } from '../render/index.ts';
import { type Captive, type CaptiveOptions, createCaptive } from './index.ts';
import { createRedirector } from './redirector.ts';
import { createRelay } from './relay.ts';

const facts = { ...fullFacts, abilities: { ...fullFacts.abilities, nftset: true } };
const section: EdgeCaptive = {
  interfaces: ['LAN'],
  page: 'http://192.0.2.7:8090/p/abc/edge',
  secret: 's'.repeat(32),
  garden: ['192.0.2.80', 'shop.example.com'],
  exempt_macs: ['02:00:00:00:00:09'],
  exempt_addresses: ['192.168.1.20'],
};
const written = (change: Partial<EdgeCaptive> = {}) => ({
  'third-party': { yunxun: { captive: { ...section, ...change } as unknown as JsonObject } },
});
function planOf(change: Partial<EdgeCaptive> = {}): Plan {
  const read = readDocument(changed(written(change)), facts);
  if ('refused' in read) throw new Error(read.refused.join('\n'));
  return render(read.document, facts);
}
const refusal = (change: Partial<EdgeCaptive>, own = facts) => {
  const read = readDocument(changed(written(change)), own);
  return 'refused' in read ? read.refused.join('\n') : null;
};
const guest = '02:00:00:00:00:01';

describe('document', () => {
  it('refuses networks that are not there, and a resolver that fills no sets', () => {
    expect(refusal({ interfaces: ['Office'] })).toContain('"Office" is not a downstream interface');
    expect(refusal({ interfaces: [] })).toContain('at least 1');
    expect(refusal({ page: 'http://192.0.2.7/a?b' })).toContain('is not the address of a page');
    expect(refusal({ garden: ['*'] })).toContain('is not a domain');
    const plain = { ...facts, abilities: { ...facts.abilities, nftset: false } };
    expect(refusal({}, plain)).toContain('needs dnsmasq with nftset');
  });

  it('renders a table of its own, and lines of the resolver', () => {
    const { captive, dnsmasq, nft } = planOf();
    expect(captive).toMatchObject({ networks: ['192.168.1.1/24'], garden: ['192.0.2.80', 'shop.example.com'] });
    expect(captive?.nft).toContain('ip daddr { 192.0.2.80 } accept');
    expect(captive?.nft).toContain('ip daddr 192.0.2.7 tcp dport 8090 accept');
    expect(captive?.nft).toContain('ether saddr { 02:00:00:00:00:09 } accept');
    expect(captive?.nft).toContain('ip saddr { 192.168.1.20 } accept');
    expect(nft).not.toContain('captive');
    expect(dnsmasq?.config).toContain('nftset=/shop.example.com/4#inet#yunxun_captive#garden\nmax-cache-ttl=60\n');
  });

  it('resets HTTPS of clients that are not in, after all that is open, and drops the rest', () => {
    const gated = /chain gated \{\n([^}]*)\}/.exec(planOf().captive!.nft)![1]!;
    expect(gated.trim().split(/\n\t*/)).toEqual([
      'jump exempt',
      'meta l4proto 41 drop',
      'jump open',
      'tcp dport 443 reject with tcp reset',
      'drop',
    ]);
  });

  it('opens the page by its name where it has one', () => {
    const { captive, dnsmasq } = planOf({ page: 'https://guests.example.org/p/abc/edge' });
    expect(captive?.nft).toContain('ip daddr @portal tcp dport 443 accept');
    expect(dnsmasq?.config).toContain('nftset=/guests.example.org/4#inet#yunxun_captive#portal\n');
  });

  it('offers the API to captive networks, and relays their clients to the portal, guests too', () => {
    const page = 'https://guests.example.org/p/abc/edge';
    const api = 'https://guests.example.org/p/abc/api';
    const { captive, dnsmasq, nft } = planOf({ page, api });
    expect(dnsmasq?.config).toMatch(/^dhcp-option=tag:\S+,114,https:\/\/guests\.example\.org\/p\/abc\/api$/m);
    const relay = 'ip daddr @portal tcp dport 443 redirect to :3997';
    expect(captive?.nft).toContain(`ether saddr @guests ${relay}`);
    expect(captive?.nft.split(relay)).toHaveLength(3);
    expect([captive?.nft, nft].join()).toContain('tcp dport { 3998, 3997 } accept');
    expect(planOf({ page }).dnsmasq?.config).not.toContain(',114,');
    expect(refusal({ page, api: 'https://other.example.org/api' })).toContain('must have the host of the page');
  });

  it('keeps granted clients when the rules change, and empties the walled garden when its names do', () => {
    const inputs = (before: Plan, after: Plan) =>
      changes(before, after, nothingOwned, '/run/x').flatMap((step) =>
        step.do === 'run' && step.input?.includes('yunxun_captive') ? [step.input] : [],
      );
    const [exempt = ''] = inputs(planOf(), planOf({ exempt_macs: [] }));
    expect(exempt).toContain('flush table inet yunxun_captive');
    expect(exempt).not.toMatch(/delete table|flush set/);
    expect(inputs(planOf(), planOf({ garden: ['other.example'] })).join('')).toContain('flush set');
    expect(inputs(planOf(), planOf())).toEqual([]);
    expect(inputs(planOf(), emptyPlan)).toEqual(['table inet yunxun_captive\ndelete table inet yunxun_captive\n']);
  });
});

describe('redirector', () => {
  async function ask(macOf: () => string | null, networks = ['127.0.0.1/8'], headers: Record<string, string> = {}) {
    const server = createRedirector(() => ({ ...planOf().captive!, networks }), macOf);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/path?q=1`, { redirect: 'manual', headers });
    server.close();
    return { status: answer.status, to: answer.headers.get('location') };
  }

  it('signs the MAC that the kernel knows, and what the client asked for', async () => {
    const { status, to } = await ask(() => guest);
    expect(status).toBe(302);
    const url = new URL(to!);
    expect(`${url.origin}${url.pathname}`).toBe(section.page);
    const { sig, ...query } = Object.fromEntries(url.searchParams) as Record<string, string>;
    expect(query).toMatchObject({ mac: guest, ip: '127.0.0.1', url: expect.stringMatching(/^http:.*\/path\?q=1$/) });
    const own = createHmac('sha256', section.secret)
      .update(captiveText(query as never))
      .digest('base64url');
    expect(sig).toBe(own);
  });

  it('redirects no client without a known MAC or outside the captive networks', async () => {
    expect(await ask(() => null)).toEqual({ status: 503, to: null });
    expect(await ask(() => guest, ['10.1.0.1/24'])).toEqual({ status: 503, to: null });
  });
});

it('relays a client to the portal, which learns its MAC before anything of its own', async () => {
  const seen: string[] = [];
  const portal = createServer((socket) => {
    socket.on('data', (part) => {
      seen.push(part.toString());
      socket.write('answer');
    });
  });
  const listen = (server: Server) =>
    new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  const page = `https://127.0.0.1:${await listen(portal)}/p/abc/edge`;
  const plan = { ...planOf().captive!, page, networks: ['127.0.0.1/8'], relays: true as const };
  const clock = new ManualClock(Date.UTC(2026, 10, 25));
  const relay = createRelay({ captive: () => plan, macOf: () => guest, clock });
  const client = connect(await listen(relay), '127.0.0.1', () => client.write('YUNXUN forged\n'));
  const [answer] = (await once(client, 'data')) as [Buffer];
  await expect.poll(() => seen.join('')).toMatch(/forged\n$/);
  const [line = '', ...rest] = seen.join('').split('\n');
  const [, mac, ip, at, nonce = '', sig] = captiveForms.relay.exec(line) ?? [];
  expect([mac, ip, Number(at), ...rest]).toEqual([guest, '127.0.0.1', clock.now() / 1000, 'YUNXUN forged', '']);
  const text = relayText({ mac: guest, ip: '127.0.0.1', at: clock.now() / 1000, nonce });
  expect(sig).toBe(createHmac('sha256', section.secret).update(text).digest('base64url'));
  expect(answer.toString()).toContain('answer');
  client.destroy();
  const stranger = createRelay({ captive: () => plan, macOf: () => null, clock });
  await once(connect(await listen(stranger), '127.0.0.1'), 'close');
  for (const server of [portal, relay, stranger]) server.close();
});

describe('grants', () => {
  let folder: string;
  let clock: ManualClock;
  let kernel: Map<string, number | null>;
  let cut: string[];
  let inputs: string[] = [];
  let plan: Plan;
  let captive: Captive;
  let broken: boolean;
  let rates: string[];
  let away: boolean;
  const bytes = { rx: 100, tx: 1000 };

  /** Keeps the time of present elements, like the kernel. */
  async function nft(argv: readonly string[], { input = '' } = {}) {
    const answer = { code: 0, stdout: '', stderr: '' };
    if (input !== '') inputs.push(input);
    if (broken) return { ...answer, code: 1, stderr: 'no table' };
    if (argv.includes('netdev')) {
      const isThere = rates.length > 0 && !rates.at(-1)!.endsWith('delete table netdev yunxun_captive\n');
      // other limits than wanted, so that they are laid anew
      if (isThere) return { ...answer, stdout: JSON.stringify({ nftables: [{ chain: { name: 'up_9' } }] }) };
      return { ...answer, code: 1, stderr: 'No such file' };
    }
    if (input.includes('netdev')) {
      rates.push(input);
      return answer;
    }
    if (input.includes(' away ')) away = input.endsWith(' away { ipv4 timeout 90s, ipv6 timeout 90s }\n');
    if (argv.includes('list')) {
      const elem = [...kernel].map(([mac, time]) => (time === null ? mac : { elem: { val: mac, expires: time } }));
      return { ...answer, stdout: JSON.stringify({ nftables: [{ set: { name: 'guests', elem } }] }) };
    }
    for (const line of input.split('\n').filter(Boolean)) {
      const [, verb, inside = ''] = /^(add|delete) element inet yunxun_captive guests \{ (.*) \}$/.exec(line) ?? [];
      for (const one of inside.split(', ')) {
        const [mac = '', , time] = one.split(' ');
        if (verb === 'delete' && !kernel.delete(mac)) return { ...answer, code: 1, stderr: 'No such file' };
        if (verb === 'add' && !kernel.has(mac)) kernel.set(mac, time === undefined ? null : Number.parseInt(time, 10));
      }
    }
    return answer;
  }

  const start = (run: CaptiveOptions['run'] = nft) =>
    createCaptive({
      clock,
      stateFolder: folder,
      run,
      port: 0,
      relayPort: 0,
      log: () => {},
      limitsRates: true,
      host: {
        get plan() {
          return plan;
        },
      },
      bytesOf: () => bytes,
      async disconnect(macs) {
        cut.push(...macs);
      },
    });
  const grant = (ticket: string, seconds: number | null, mac = guest) =>
    captive.command({ tool: 'captive', op: 'grant', ticket, mac, seconds });
  const revoke = (ticket: string) => captive.command({ tool: 'captive', op: 'revoke', ticket, mac: guest });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yunxun-captive-'));
    clock = new ManualClock(Date.UTC(2026, 10, 25));
    kernel = new Map();
    cut = [];
    inputs = [];
    plan = planOf();
    broken = false;
    rates = [];
    away = false;
    captive = start();
    await captive.settled();
  });
  afterEach(() => {
    captive.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('let a client in for its time, and a later one sets it anew', async () => {
    expect(await grant('ticket-one', 600)).toMatchObject({ error: 0 });
    expect(kernel.get(guest)).toBe(600);
    await grant('ticket-two', 60);
    expect(kernel.get(guest)).toBe(60);
    const until = Math.floor(clock.now() / 1000) + 60;
    expect(captive.state()).toEqual({
      guests: [{ ticket: 'ticket-two', mac: guest, until, rx_bytes: 0, tx_bytes: 0 }],
    });
  });

  it('count bytes from the grant on', async () => {
    await grant('ticket-one', null);
    Object.assign(bytes, { rx: 150, tx: 3000 });
    expect(captive.state()?.guests).toMatchObject([{ rx_bytes: 50, tx_bytes: 2000 }]);
  });

  it('end with a revocation of the same ticket, and with their connections', async () => {
    await grant('ticket-one', null);
    await revoke('ticket-old');
    expect(kernel.has(guest)).toBe(true);
    await revoke('ticket-one');
    // the portal's answer to a guest who signs out is on its way
    expect([kernel.has(guest), cut, captive.state()?.guests]).toEqual([false, [], []]);
    clock.advance(2000);
    await expect.poll(() => cut).toEqual([guest]);
  });

  it('keep the connections of a client that is let in again at once', async () => {
    await grant('ticket-one', null);
    await revoke('ticket-one');
    await grant('ticket-two', null);
    clock.advance(2000);
    await revoke('ticket-none');
    expect(cut).toEqual([]);
  });

  it('end with their time, and with their connections', async () => {
    await grant('ticket-one', 60);
    clock.advance(61_000);
    await expect.poll(() => cut).toEqual([guest]);
    expect(kernel.has(guest)).toBe(false);
  });

  it('survive a restart of the agent and of the host, with the time that is left', async () => {
    await grant('ticket-one', 600);
    await grant('ticket-two', 30, '02:00:00:00:00:02');
    captive.stop();
    // a reboot empties the kernel's set
    kernel.clear();
    clock.advance(100_000);
    captive = start();
    await captive.settled();
    expect([...kernel]).toEqual([[guest, 500]]);
  });

  it('are in the sets of both tables, where frames between ports are filtered too', async () => {
    await grant('ticket-one', 600);
    plan = { ...plan, captive: { ...plan.captive!, bridges: true } };
    const sets: Record<string, string[]> = { inet: [guest, '02:00:00:00:00:66'], bridge: [] };
    const inputs: string[] = [];
    captive.stop();
    captive = start(async (argv, { input = '' } = {}) => {
      inputs.push(input);
      const elem = sets[argv[4] ?? ''] ?? [];
      const stdout = argv.includes('list') ? JSON.stringify({ nftables: [{ set: { name: 'guests', elem } }] }) : '';
      return { code: 0, stdout, stderr: '' };
    });
    await captive.look();
    for (const family of ['inet', 'bridge']) {
      expect(inputs.join('')).toContain(`add element ${family} yunxun_captive guests { ${guest} timeout 600s }`);
      expect(inputs.join('')).toContain(`delete element ${family} yunxun_captive guests { 02:00:00:00:00:66 }`);
    }
  });

  it('are given again to a table that was deleted', async () => {
    await grant('ticket-one', null);
    kernel.clear();
    kernel.set('02:00:00:00:00:66', null);
    await captive.look();
    expect([...kernel.keys()]).toEqual([guest]);
  });

  it('carry rates, which an extension and a later grant replace', async () => {
    const limited = { tool: 'captive', op: 'grant', ticket: 'ticket-one', mac: guest, seconds: 60 };
    await captive.command({ ...limited, up_kbps: 1000, down_kbps: 2000 });
    expect(rates.at(-1)).toContain('up_020000000001 { rate over 125000 bytes/second');
    expect(rates.at(-1)).toContain('down_020000000001 { rate over 250000 bytes/second');
    await captive.command({ ...limited, up_kbps: 8, down_kbps: 0 });
    expect(rates.at(-1)).toMatch(/delete limit .* down_020000000001\n.*up_020000000001 \{ rate over 1000 bytes/s);
    await revoke('ticket-one');
    expect(rates.at(-1)).toBe('table netdev yunxun_captive\ndelete table netdev yunxun_captive\n');
    expect(await captive.command({ ...limited, up_kbps: -1, down_kbps: 0 })).toMatchObject({ error: 2 });
  });

  it('go on counting when the same ticket is granted anew', async () => {
    Object.assign(bytes, { rx: 100, tx: 1000 });
    await grant('ticket-one', 60);
    Object.assign(bytes, { rx: 150, tx: 3000 });
    await grant('ticket-one', 600);
    expect(captive.state()?.guests).toMatchObject([{ rx_bytes: 50, tx_bytes: 2000 }]);
  });

  it('end by a revocation after the networks are captive no more', async () => {
    await grant('ticket-one', null);
    plan = emptyPlan;
    await captive.settled();
    expect(await revoke('ticket-one')).toMatchObject({ error: 0 });
    plan = planOf();
    kernel.clear();
    await captive.settled();
    expect(kernel.size).toBe(0);
  });

  it('are not needed while the console is away, in the opening hours, if the template says so', async () => {
    captive.console(true);
    // Wednesday 08:00 in Shanghai
    plan = planOf({ away: { zone: 'Asia/Shanghai', hours: [{ days: [3], from: '07:00', to: '08:05' }] } });
    await captive.settled();
    captive.console(false);
    clock.advance(59_000);
    await captive.look();
    expect(away).toBe(false);
    clock.advance(2000);
    await captive.look();
    expect(away).toBe(true);
    captive.console(true);
    await expect.poll(() => away).toBe(false);
    captive.console(false);
    clock.advance(300_000);
    await captive.look();
    expect(away).toBe(false);
    plan = planOf();
    await captive.settled();
    clock.advance(120_000);
    await captive.look();
    expect(away).toBe(false);
  });

  it('are not noted if the kernel refuses', async () => {
    broken = true;
    expect(await grant('ticket-one', 60)).toMatchObject({ error: 1 });
    expect(captive.state()?.guests).toEqual([]);
  });

  it('are refused for what is not a unicast MAC address, and without captive networks', async () => {
    for (const mac of ['ff:ff:ff:ff:ff:ff', '00:00:00:00:00:00', 'x', '01:00:5e:00:00:01'])
      expect(await grant('ticket-one', 60, mac)).toMatchObject({ error: 2 });
    expect(await captive.command({ tool: 'captive', op: 'grant', ticket: 'x y', mac: guest })).toMatchObject({
      error: 2,
    });
    plan = emptyPlan;
    expect(await grant('ticket-one', 60)).toMatchObject({ error: 1 });
    expect(captive.state()).toBeNull();
  });

  it('leave payment hosts open for a pass, which is no grant', async () => {
    const pass = (seconds: unknown, mac: unknown = guest) =>
      captive.command({ tool: 'captive', op: 'pass', mac, seconds });
    expect(await pass(600)).toMatchObject({ error: 1 });
    plan = planOf({ pay: ['pay.example.com'] });
    await captive.settled();
    expect(await pass(600)).toMatchObject({ error: 0 });
    expect(inputs.at(-1)).toBe(
      ['add', 'delete', 'add']
        .map(
          (verb, at) => `${verb} element inet yunxun_captive payers { ${guest}${at === 2 ? ' timeout 600s' : ''} }\n`,
        )
        .join(''),
    );
    expect([kernel.size, captive.state()?.guests]).toEqual([0, []]);
    for (const wrong of [901, 0, 1.5, '60']) expect(await pass(wrong)).toMatchObject({ error: 2 });
    expect(await pass(60, 'ff:ff:ff:ff:ff:ff')).toMatchObject({ error: 2 });
  });
});
