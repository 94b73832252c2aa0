import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const manage = '/config/template_manage';
let made = 0;

const template = async (page: Page, { t, url }: Stage) => {
  await page.goto(`${url}/config/template_add/0`);
  made += 1;
  const name = `Cafe-${Date.now()}-${made}`;
  await page.getByLabel(t('template.name'), { exact: true }).fill(name);
  await page.getByLabel(t('portal.another_method')).selectOption('sms');
  await page.getByRole('button', { name: t('portal.add_method'), exact: true }).click();
  await page.getByRole('button', { name: t('portal.add_link') }).click();
  await page.getByLabel(t('portal.link_name', { n: 1 })).fill('Menu');
  await page.getByLabel(t('portal.link_address', { n: 1 })).fill('https://menu.example.org');
  await page.getByRole('button', { name: t('portal.create') }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
  return name;
};

const withProvider = async (page: Page, { t, url }: Stage) => {
  await page.goto(`${url}/config/template_add/0`);
  for (const kind of ['oidc', 'wecom'] as const) {
    await page.getByLabel(t('portal.another_method')).selectOption(kind);
    await page.getByRole('button', { name: t('portal.add_method'), exact: true }).click();
  }
  await page.getByLabel(t('portal.issuer')).scrollIntoViewIfNeeded();
};

const published = async (page: Page, stage: Stage) => {
  const name = await template(page, stage);
  await page.getByRole('button', { name: stage.t('portal.publish'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: stage.t('portal.publish'), exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  return name;
};

const editor = async (page: Page, stage: Stage) => {
  await template(page, stage);
  await page.getByRole('button', { name: stage.t('portal.edit_page') }).click();
  await page.getByRole('region', { name: stage.t('portal.preview') }).waitFor();
};

const block = (name: 'carousel' | 'colour' | 'terms') => async (page: Page, stage: Stage) => {
  await editor(page, stage);
  await page.getByRole('button', { name: stage.t(`portal.block_${name}`) }).click();
  if (name === 'carousel') await page.getByRole('switch').check();
};

const smsNetwork = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const smsAnswers = (sold: boolean): Readonly<Record<string, unknown>> => ({
  'sms/balance': {
    sold,
    provider: sold,
    left: sold ? 1250 : null,
    price_fen: 10,
    sent_today: 12,
    sent_30d: 340,
    success: 98,
    low_balance: 100,
    packs: sold ? [{ count: 100, amount: '10.00' }] : [],
    limits: { phone_day: 5, phone_seconds: 60, network_hour: 300, address_hour: 60, alarm_day: 100 },
  },
  'sms/log/list': {
    list: (['sent', 'queued', 'failed', 'outbox'] as const).map((result, at) => ({
      id: smsNetwork.replace('7c', `0${at}`),
      time: '2026-11-20T08:00:00.000Z',
      gwid: smsNetwork,
      result,
      phone_masked: '139****1234',
      purpose: 'login',
      template: 'portalCode',
      fee_fen: result === 'outbox' ? 0 : 10,
      reason: result === 'failed' ? 'No answer' : null,
    })),
    total: 4,
  },
  'sms/order/list': {
    list: [
      {
        order_no: '261120000000000001',
        count: 100,
        amount_fen: 1000,
        refunded_fen: 0,
        method: 'balance',
        status: 'completed',
        created_at: '2026-11-20T08:00:00.000Z',
        paid_at: '2026-11-20T08:00:00.000Z',
      },
    ],
    total: 1,
  },
});

const sms =
  (rest: string, sold = true) =>
  async (page: Page, { url }: Stage) => {
    for (const [path, data] of Object.entries(smsAnswers(sold)))
      await page.route(`**/api/v3/${path}`, (route) =>
        route.fulfill({ json: { code: 2000, message: 'Success', data } }),
      );
    await page.goto(`${url}/sms_pay_log/${smsNetwork}/Lobby${rest}`);
  };

export const portalScreens: readonly BuiltScreen[] = [
  { name: 'portal-templates-empty', as: 'newPerson', open: (page, { url }) => page.goto(url + manage) },
  { name: 'portal-template-new', as: 'owner', open: (page, { url }) => page.goto(`${url}/config/template_add/0`) },
  { name: 'portal-template', page: true, as: 'owner', open: template },
  { name: 'portal-template-provider', as: 'owner', open: withProvider },
  { name: 'sms', as: 'owner', open: sms('') },
  { name: 'sms-free', as: 'owner', open: sms('', false) },
  { name: 'sms-orders', as: 'owner', open: sms('?tab=orders') },
  { name: 'sms-limits', as: 'owner', open: sms('?tab=limits') },
  {
    name: 'portal-templates',
    page: true,
    as: 'owner',
    async open(page, stage) {
      await published(page, stage);
      await page.goto(stage.url + manage);
      await page.locator('tbody:not([aria-busy]) tr').first().waitFor();
    },
  },
  {
    name: 'portal-versions',
    page: true,
    as: 'owner',
    async open(page, stage) {
      await published(page, stage);
      await page.getByRole('tab', { name: stage.t('template.tab_versions') }).click();
      await page.getByRole('button', { name: stage.t('template.see') }).click();
      await page.getByRole('dialog').getByRole('region').waitFor();
    },
  },
  { name: 'portal-page', page: true, as: 'owner', open: editor },
  { name: 'portal-page-carousel', as: 'owner', open: block('carousel') },
  { name: 'portal-page-colour', as: 'owner', open: block('colour') },
  { name: 'portal-page-terms', as: 'owner', open: block('terms') },
];
