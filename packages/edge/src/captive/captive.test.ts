import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { captiveForms, captiveText, relayText } from '@yunxun/contract/device';
import { describe, expect, it } from 'vitest';
import { changes } from '../apply/changes.ts';
import { nothingOwned } from '../apply/ownership.ts';
import { ManualClock } from '../manual-clock.ts';
import { emptyPlan, type Plan } from '../render/index.ts';
import { createRedirector } from './redirector.ts';
import { createRelay } from './relay.ts';

import { facts, guest, planOf, refusal, section } from './testing/captive-plan.ts';

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
