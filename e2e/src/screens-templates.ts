import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const base = '/config/template_wireless';
const firstRow = 'tbody:not([aria-busy]) tr >> nth=0';
let made = 0;

const template = async (page: Page, { t, url }: Stage) => {
  await page.goto(`${url}${base}/wireless_create`);
  made += 1;
  const name = `Shops-${Date.now()}-${made}`;
  await page.getByLabel(t('template.name'), { exact: true }).fill(name);
  await page.getByRole('button', { name: t('wireless.add') }).click();
  await page.getByLabel(t('wireless.name')).fill('Guests');
  await page.getByLabel(t('wireless.key'), { exact: true }).fill('welcome-2026');
  await page.getByRole('button', { name: t('wireless.apply') }).click();
  await page.getByRole('button', { name: t('template.create') }).click();
  await page.getByRole('heading', { name }).waitFor();
};

const impact = async (page: Page, stage: Stage) => {
  const { remark, t } = stage;
  await template(page, stage);
  await page.getByRole('button', { name: t('template.push'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('pick.find')).fill(remark);
  await dialog.getByRole('checkbox', { name: remark, exact: true }).check();
  await dialog.getByRole('button', { name: t('push.next_targets') }).click();
  await dialog.locator('.preview-device').first().waitFor();
};

const plan = async (page: Page, stage: Stage) => {
  await impact(page, stage);
  await page.getByRole('button', { name: stage.t('push.next_impact') }).click();
  await page.getByLabel(stage.t('push.canary'), { exact: true }).waitFor();
};

const pushed = async (page: Page, stage: Stage) => {
  await plan(page, stage);
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await page.locator(firstRow).click();
  await page.getByRole('dialog').locator('tbody tr').first().waitFor();
};

const passwords = '/config/ac_dynamic_password';

const rule = async (page: Page, { t, url, remark }: Stage) => {
  await page.goto(url + passwords);
  const row = page.locator(firstRow);
  const create = page.getByRole('button', { name: t('password_rule.create') }).first();
  // the create button appears before the list
  await row
    .or(page.getByText(t('password_rule.never'), { exact: true }))
    .first()
    .waitFor();
  if (await row.isVisible()) return row;
  await create.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('password_rule.name'), { exact: true }).fill('Guests');
  await dialog.getByLabel(t('pick.find')).fill(remark);
  await dialog.getByRole('checkbox', { name: remark, exact: true }).check();
  const ssids = dialog.getByLabel('SSID', { exact: true });
  await ssids.locator('option').nth(1).waitFor({ state: 'attached' });
  await ssids.selectOption({ index: 1 });
  await dialog.getByRole('button', { name: t('password_rule.create_push') }).click();
  await dialog.getByRole('button', { name: t('password_rule.create_push') }).waitFor({ state: 'hidden' });
  await page.goto(url + passwords);
  await row.waitFor();
  return row;
};

export const templateScreens: readonly BuiltScreen[] = [
  { name: 'templates-empty', as: 'newPerson', open: (page, { url }) => page.goto(`${url}${base}/wireless`) },
  { name: 'templates-ac-empty', as: 'newPerson', open: (page, { url }) => page.goto(`${url}${base}/ac`) },
  { name: 'template-ac-new', as: 'owner', open: (page, { url }) => page.goto(`${url}${base}/ac_create`) },
  { name: 'template', as: 'owner', open: template },
  {
    name: 'templates',
    as: 'owner',
    async open(page, stage) {
      await template(page, stage);
      await page.goto(`${stage.url}${base}/wireless`);
      await page.locator('tbody tr').first().waitFor();
    },
  },
  { name: 'template-impact', as: 'owner', open: impact },
  { name: 'template-plan', as: 'owner', open: plan },
  { name: 'template-push', as: 'owner', open: pushed },
  {
    name: 'template-reverse',
    as: 'owner',
    async open(page, stage) {
      await pushed(page, stage);
      await page.getByRole('button', { name: stage.t('change.reverse') }).click();
      await page.getByRole('dialog', { name: stage.t('change.reverse_title') }).waitFor();
    },
  },
  {
    name: 'template-versions',
    as: 'owner',
    async open(page, stage) {
      const { t } = stage;
      await template(page, stage);
      await page.getByLabel(t('template.leds')).selectOption('off');
      await page.getByRole('button', { name: t('template.lock', { name: t('template.leds') }) }).click();
      await page.getByRole('button', { name: t('template.save') }).click();
      await page.getByText(t('template.version_n', { n: 2 }), { exact: true }).waitFor();
      await page.getByRole('tab', { name: t('template.tab_versions') }).click();
      await page.getByRole('heading', { name: t('template.compare') }).waitFor();
    },
  },
  { name: 'passwords-empty', as: 'newPerson', open: (page, { url }) => page.goto(url + passwords) },
  {
    name: 'password-new',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/config/ac_dynamic_password`);
      await page
        .getByRole('button', { name: t('password_rule.create') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'passwords', as: 'owner', open: rule },
  {
    name: 'password-history',
    as: 'owner',
    async open(page, stage) {
      await (await rule(page, stage)).click();
      await page.getByRole('dialog').locator('tbody tr').first().waitFor();
    },
  },
  {
    name: 'password-shown',
    as: 'owner',
    async open(page, stage) {
      await (await rule(page, stage)).getByRole('button').last().click();
      await page.getByRole('menuitem', { name: stage.t('password_rule.show') }).click();
      await page.getByRole('dialog').locator('.wifi-card').waitFor();
    },
  },
];
