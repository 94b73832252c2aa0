import type { PortalContent, PortalGateway, PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { newId } from '../../platform/database/index.ts';
import {
  alertOf,
  contentWith,
  fasText,
  freeLimits,
  grantOpen,
  memoryTemplates,
  newClient,
  nextOf,
  openPage,
  plainFas,
  sealedFas,
  submit,
} from './testing/guest.ts';
import { type PortalNetwork, portalNetwork } from './testing/portal-network.ts';

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

describe('the page', () => {
  it('weighs little, loads only from its own origin and allows no script', async () => {
    const content = contentWith([
      oneClick,
      voucher,
      { kind: 'sms', ...freeLimits },
      { kind: 'account', ...freeLimits },
    ]);
    content.page.logo = newId();
    const { base, secret } = await network('opennds_3', content);
    const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    const css = await openPage(new URL(/href="([^"]+page\.css[^"]*)"/.exec(page.html)![1]!, page.url).href);
    expect(page.html.length + css.html.length).toBeLessThan(20_000);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const addresses = [...page.html.matchAll(/(?:src|href|action)="([^"]*)"/g)].map((match) => match[1]!);
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) expect(address).toMatch(/^\/p\//);
    expect(page.html).not.toMatch(/<script|<style|style=/);
  });

  it('prints nothing that a guest or a template wrote as markup', async () => {
    const content = contentWith([{ kind: 'sms', ...freeLimits }]);
    content.page.title.en = '<img src=x onerror=alert(1)>\u202e';
    content.page.terms.en = '</p><script>alert(2)</script>';
    const { base, secret } = await network('opennds_3', content);
    const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    const wrong = await submit(page, 'sms', { phone: '"><script>alert(3)</script>', step: 'send' });
    for (const { html } of [page, wrong]) expect(html).not.toMatch(/<script|<img src=x|\u202e/);
    expect(alertOf(wrong)).toMatch(/^Enter a mobile number of mainland China/);
  });

  it('speaks Chinese to readers of Chinese and to unknown ones, and English to all others', async () => {
    const { base, secret } = await network('opennds_3', contentWith([oneClick]));
    for (const [accepted, lang] of [
      ['zh-TW,en;q=0.8', 'zh-CN'],
      ['fr-FR,fr;q=0.9', 'en'],
      ['ar', 'en'],
      ['', 'zh-CN'],
      ['*', 'zh-CN'],
    ] as const) {
      const headers = { 'accept-language': accepted };
      const { html } = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`, { headers });
      expect([accepted, html.includes(`<html lang="${lang}">`)]).toEqual([accepted, true]);
    }
  });

  it('changes its language without losing the gateway’s client', async () => {
    const { base, secret } = await network('opennds_3', contentWith([oneClick]));
    const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    const other = /<footer><a href="([^"]+)"/.exec(page.html)![1]!.replaceAll('&amp;', '&');
    const chinese = await openPage(new URL(other, page.url).href);
    expect(chinese.html).toContain('<html lang="zh-CN">');
    expect(chinese.html).toContain('一键上网');
    expect((await submit(chinese, 'one_click')).html).toContain('正在连接');
  });

  it('says in the language that was chosen when a session ends, on the network’s clock', async () => {
    const { base, secret } = await network('opennds_3', contentWith([oneClick]));
    const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    const other = /<footer><a href="([^"]+)"/.exec(page.html)![1]!.replaceAll('&amp;', '&');
    const connecting = await submit(await openPage(new URL(other, page.url).href), 'one_click');
    expect(connecting.html).toContain('<h1>正在连接</h1>');
    await grantOpen(base);
    const online = await openPage(nextOf(connecting));
    expect(online.html).toContain('<h1>已连接网络</h1>');
    expect(online.html).toContain('今天 13:00 结束。');
    clock.advance(61 * 60_000);
    expect(alertOf(await openPage(online.url))).toBe('本次上网已结束。');
    clock.advance(-61 * 60_000);
  });

  it('opens the method that was refused, or whose code was sent, else the first', async () => {
    const content = contentWith([oneClick, voucher, { kind: 'sms', ...freeLimits }]);
    const { base, secret } = await network('opennds_3', content);
    const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    const opened = ({ html }: { html: string }) =>
      [...html.matchAll(/<details class="way" name="way" open>.*?name="way" value="(\w+)"/gs)].map(([, way]) => way);
    expect(opened(page)).toEqual(['one_click']);
    expect(opened(await submit(page, 'voucher', { voucher: 'AAAA' }))).toEqual(['voucher']);
    expect(opened(await submit(page, 'sms', { phone: '13900000007', step: 'send' }))).toEqual(['sms']);
    const one = await network('opennds_3', contentWith([voucher]));
    expect((await openPage(`${one.base}/fas?${sealedFas(newClient(), one.secret)}`)).html).not.toContain('class="way"');
  });

  it('leads to the page that a guest wanted, but to no probe of a phone', async () => {
    const { base } = await network('opennds_1', contentWith([oneClick]));
    const arriveFrom = async (origin: string) => {
      const text = fasText(newClient()).replace(/originurl=\S+,/, `originurl=${encodeURIComponent(origin)},`);
      const page = await openPage(`${base}/fas?fas=${encodeURIComponent(Buffer.from(text).toString('base64'))}`);
      const grant = new URL(nextOf(await submit(page, 'one_click')));
      return (await openPage(grant.searchParams.get('redir')!)).html;
    };
    expect(await arriveFrom('http://menu.example.org/')).toContain('href="http://menu.example.org/"');
    for (const probe of ['http://captive.apple.com/', 'http://connectivitycheck.gstatic.com/generate_204'])
      expect(await arriveFrom(probe)).not.toContain('Go to');
  });

  it('shows the guests of several networks each their own, together, and fails only where a page fails', async () => {
    const titles = ['Lobby', 'Pool', 'Broken', 'Garden'];
    const sites: PortalNetwork[] = [];
    for (const title of titles) {
      const content = contentWith([oneClick]);
      content.page.title.en = title;
      if (title === 'Broken') content.page.terms = null!;
      sites.push(await network('opennds_3', content));
    }
    const arrive = ({ base, secret }: PortalNetwork) => openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    const pages = await Promise.all([...sites, ...sites, ...sites].map(arrive));
    for (const [at, { status, html }] of pages.entries()) {
      const title = titles[at % 4]!;
      expect([status, html.includes(`<h1>${title}</h1>`)]).toEqual(title === 'Broken' ? [500, false] : [200, true]);
    }
    const seen = await Promise.all(
      sites.map(({ gwid }) => server.call<{ steps: { visits: number }[] }>('/api/v3/portal/funnel', { gwid }, owner)),
    );
    expect(seen.map(({ data }) => data.steps[0]!.visits)).toEqual([3, 3, 0, 3]);
  });

  it('has neither the console’s API nor pages of unknown or switched-off networks', async () => {
    const origin = `http://127.0.0.1:${server.program.portalPort}`;
    expect((await openPage(`${origin}/api/v3/user`)).status).toBe(404);
    const off = await openPage(`${origin}/p/${'x'.repeat(22)}/fas?fas=aa`);
    expect([off.status, alertOf(off)]).toEqual([404, 'This network has no sign-in page.']);
    const { base, secret, gwid } = await network('opennds_3', contentWith([oneClick]));
    for (const address of [base, `${base}/`, `${base}/fas`, `${base}/edge`])
      expect(alertOf(await openPage(address))).toBe(
        'The sign-in page opens by itself on a device that joins the network.',
      );
    const unknown = { gwid, enabled: true, template_id: newId() };
    expect(await server.call('/api/v3/portal/site/save', unknown, owner)).toMatchObject({
      code: 422,
      errors: { template_id: ['Choose a published template'] },
    });
    const saved = await server.call(
      '/api/v3/portal/site/save',
      { gwid, enabled: false, template_id: null, gateway: 'opennds_3' },
      owner,
    );
    expect(saved.code).toBe(2000);
    expect((await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`)).status).toBe(404);
  });

  it('counts the steps of today’s guests and why they failed', async () => {
    const { base, secret, gwid } = await network('opennds_3', contentWith([voucher]));
    const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    await openPage(new URL(/href="([^"]+page\.css[^"]*)"/.exec(page.html)![1]!, page.url).href);
    await submit(page, 'voucher', { voucher: 'AAAA' });
    await openPage(`${base}/fas?${plainFas(newClient())}`);
    const { data } = await server.call<{ steps: { visits: number }[]; failures: unknown[] }>(
      '/api/v3/portal/funnel',
      { gwid },
      owner,
    );
    expect(data.steps.map(({ visits }) => visits)).toEqual([2, 1, 1, 0]);
    expect(data.failures).toEqual([
      { reason: 'unverified', visits: 1 },
      { reason: 'voucher_unknown', visits: 1 },
    ]);
  });
});
