import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { portalDraft, portalLimits } from '../../packages/server/test/portal-draft.ts';
import { claimInstallation } from './administrator.ts';
import { keepPicture, type Language, openPage, seriousIssues, startBrowser, texts, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { startProduct } from './product.ts';

const limits = { ...portalLimits, minutes: 60 };
const app = { client_id: 'yunxun', client_secret: 'secret' };
const templates = [
  ['one_click', 'password', 'voucher', 'account', 'sms', 'recharge_card', 'purchase', 'sponsor'],
  ['oidc', 'wechat', 'wecom', 'dingtalk', 'dynamic_password', 'one_click'],
] as const;
const extras: Readonly<Record<string, object>> = {
  password: { password: 'welcome-2026' },
  sponsor: { sponsors: ['boss@example.org'] },
  oidc: { ...app, issuer: 'https://id.example.org', allowed: [] },
  wechat: app,
  wecom: { ...app, agent_id: '1000002' },
  dingtalk: { ...app, allowed: [] },
};

let product: Awaited<ReturnType<typeof startProduct>>;
let browser: Browser;
let owner: Person;
let context: BrowserContext | undefined;
let visit: Visit | undefined;
let published: Published[];
let pictures: Record<'logo' | 'background' | 'countdown', string> & { carousel: string[] };

beforeAll(async () => {
  const [portalPort] = await freePorts(1);
  const settings = { YUNXUN_PORTAL_PORT: String(portalPort) };
  [product, browser] = await Promise.all([startProduct('main', /is ready/, '127.0.0.1', settings), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  await claimInstallation(product, owner);
  // without a provider guests are told so, and the editor's phone knows of none
  await owner.call('/api/v3/install/sms/save', {
    provider: 'twilio',
    key_id: 'AC0123456789',
    secret: 'never-used',
    sender: '+15005550006',
    app_id: '',
    region: '',
    templates: {},
  });
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } });
  await page.goto(`${product.url}/`);
  const upload = async (slot: string, height = 320) => {
    const file = (await page.screenshot({ clip: { x: 0, y: 0, width: 640, height } })).toString('base64');
    return (await owner.call<{ id: string }>('/api/v3/auth_template/picture/upload', { slot, file })).id;
  };
  pictures = {
    logo: await upload('logo'),
    background: await upload('background'),
    countdown: await upload('countdown'),
    carousel: [await upload('carousel'), await upload('carousel', 360)],
  };
  await page.close();
  published = await Promise.all(templates.map(publish));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(visit?.page, `portal phone ${task.name}`);
  await context?.close();
  await visit?.context.close();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

interface Published {
  id: string;
  base: string;
}

async function publish(methods: readonly string[]): Promise<Published> {
  const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: `Lobby ${methods[0]}` });
  const page = {
    ...portalDraft().page,
    ...pictures,
    title: { zh: '大堂无线网', en: 'Lobby Wi-Fi' },
    text: { zh: '欢迎光临', en: 'Welcome\n<b>friends</b>' },
    terms: { zh: '请遵守法律法规', en: 'Please keep the law' },
    colour: '#f2c14e',
    countdown: { picture: pictures.countdown, seconds: 30 },
  };
  const { id } = await owner.call<{ id: string }>('/api/v3/auth_template/create', {
    name: `Lobby-${methods[0]!.replace('_', '')}`,
    ...portalDraft({ methods: methods.map((kind) => ({ kind, ...limits, ...extras[kind] })), page }),
  });
  await owner.call('/api/v3/auth_template/publish', { id, revision: 1 });
  await owner.call('/api/v3/portal/site/save', { gwid, enabled: true, template_id: id, gateway: 'opennds_1' });
  const { site } = await owner.call<{ site: { url: string } }>('/api/v3/portal/site', { gwid });
  return { id, base: site.url };
}

function captured(base: string): string {
  const hid = Array.from({ length: 64 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
  const fields = `hid=${hid}, clientip=192.168.77.2, clientmac=02:00:00:00:00:02, client_type=cpd_can, gatewayname=lobby%20Node%3a66c011370b7e%20, gatewayaddress=192.168.77.1:2050, originurl=http%3a%2f%2fexample.org%2f`;
  return `${base}fas?fas=${encodeURIComponent(Buffer.from(fields).toString('base64'))}`;
}

/** Text, and the place and colours of each element. */
const lookOf = async (main: Locator) => {
  await expect
    .poll(() =>
      main.locator('img').evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0)),
    )
    .toBe(true);
  return main.evaluate((element) => {
    const body = element.parentElement!;
    const { backgroundColor, backgroundImage, backgroundSize } = getComputedStyle(body);
    const origin = body.getBoundingClientRect();
    const elements = [...element.querySelectorAll('*:not([type=hidden])')].map((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const { color, font, backgroundColor: behind, borderColor } = getComputedStyle(one);
      const box = [left - origin.left, top - origin.top, width, height].map(Math.round);
      return `${one.tagName} ${box} ${color} ${font} ${behind} ${borderColor}`;
    });
    const background = [backgroundColor, backgroundImage.startsWith('url'), backgroundSize];
    return { text: (element as HTMLElement).innerText, elements, background };
  });
};

async function openEditor(language: Language, id: string): Promise<Page> {
  visit = await openPage(browser, product.url, language, 'light', { token: owner.token });
  await visit.page.goto(`${product.url}/config/auth_portal/0/${id}`);
  return visit.page;
}

describe.each([
  ['zh-CN', 'light', 'zh', 390],
  ['en', 'dark', 'en', 320],
] as const)('in %s, %s', (locale, colorScheme, language, width) => {
  const t = texts(locale);
  const phoneOf = (page: Page) => page.getByRole('region', { name: t('portal.preview') });

  async function show(page: Page): Promise<void> {
    await phoneOf(page).waitFor();
    for (const choice of [t(`portal.${language}`), t(`portal.${colorScheme}`), t('portal.pixels', { n: width })])
      await page.locator('.phone-choices').getByText(choice, { exact: true }).click();
  }

  async function capture({ base }: Published): Promise<Page> {
    context = await browser.newContext({ locale, colorScheme, viewport: { width, height: 640 } });
    const guest = await context.newPage();
    await guest.goto(captured(base));
    return guest;
  }

  it.each([0, 1])('looks like the page that guests of template %i get', async (at) => {
    const sent = await lookOf((await capture(published[at]!)).locator('main'));
    expect(sent.text).toContain(language === 'zh' ? '欢迎光临' : '<b>friends</b>');
    const page = await openEditor(locale, published[at]!.id);
    await show(page);
    expect(await lookOf(phoneOf(page).locator('main'))).toEqual(sent);
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('looks like the advertisement, and like the opened terms', async () => {
    const guest = await capture(published[0]!);
    const page = await openEditor(locale, published[0]!.id);
    await show(page);
    const block = (key: 'terms' | 'countdown') => page.getByRole('button', { name: t(`portal.block_${key}`) });
    await block('terms').click();
    await guest.locator('.terms summary').click();
    expect(await lookOf(phoneOf(page).locator('main'))).toEqual(await lookOf(guest.locator('main')));
    await block('countdown').click();
    await guest.locator('form').first().getByRole('button').click();
    await guest.locator('.wide').waitFor();
    const [shown, sent] = [await lookOf(phoneOf(page).locator('main')), await lookOf(guest.locator('main'))];
    // the guest's seconds run
    expect({ ...shown, text: shown.text.replace(/\d+/, '') }).toEqual({ ...sent, text: sent.text.replace(/\d+/, '') });
  });
});

it('is read by screen readers, but neither reached by Tab nor used', async () => {
  const t = texts('en');
  const page = await openEditor('en', published[0]!.id);
  const phone = page.getByRole('region', { name: t('portal.preview') });
  await page.locator('.phone-choices').getByText(t('portal.en'), { exact: true }).click();
  await phone.getByRole('heading', { name: 'Lobby Wi-Fi' }).waitFor();
  await phone.getByText('Code by text message').waitFor();
  expect(await phone.getByRole('button', { name: 'Connect', exact: true }).count()).toBe(1);
  const address = page.url();
  await phone.getByRole('link').click({ force: true });
  await phone
    .locator('form')
    .first()
    .evaluate((form) => (form as HTMLFormElement).requestSubmit());
  expect(page.url()).toBe(address);
  await phone.focus();
  await page.keyboard.press('Tab');
  const inPhone = await phone.evaluate((section) => section.contains(document.activeElement));
  expect(inPhone).toBe(false);
  expect(visit!.errors).toEqual([]);
});
