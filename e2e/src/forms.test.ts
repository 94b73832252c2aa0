import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { texts } from './browser.ts';
import { pageEach, textUnder } from './page-each.ts';

const stage = pageEach('forms');
const t = texts('en');
let page: Page;

beforeEach(() => {
  ({ page } = stage);
});

const field = (label: string) => page.getByLabel(label, { exact: true });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const under = (label: string) => textUnder(page, label);

it.each([
  ['/register', '+86 138-1111-2201', '13811112201'],
  ['/login?way=mobile', '0086 138 1111 2202', '13811112202'],
  ['/forgot_password?way=mobile', '138 1111 2203', '13811112203'],
])('at %s a mobile is taken as it was copied, and the code goes to it', async (path, copied, mobile) => {
  await page.goto(stage.product.url + path);
  await field(t('login.mobile')).fill(copied);
  expect(await field(t('login.mobile')).inputValue()).toBe(mobile);
  await Promise.all([
    page.waitForRequest((request) => request.postData()?.includes(mobile) ?? false),
    press(t('code.send')),
  ]);
  await page.getByText(t('code.sent_sms', { left: 4 })).waitFor();
});

it('a number with a digit too many is not cut, and the code button says why it sends nothing', async () => {
  await page.goto(`${stage.product.url}/login?way=mobile`);
  await field(t('login.mobile')).fill('138111122041');
  expect(await field(t('login.mobile')).inputValue()).toBe('138111122041');
  await page.getByRole('button', { name: t('code.send') }).dispatchEvent('click');
  await under(t('login.mobile')).getByText(t('validation.mobile')).waitFor();
  await expect.poll(() => field(t('login.mobile')).evaluate((input) => input === document.activeElement)).toBe(true);
});

it('what is said of a field goes when its value is right, and comes back with the next try', async () => {
  await page.goto(`${stage.product.url}/register`);
  await press(t('register.submit'));
  for (const label of [t('login.mobile'), t('login.sms_code'), t('set_password.password'), t('set_password.again')]) {
    await under(label).waitFor();
  }
  await field(t('login.mobile')).fill('1381111');
  await under(t('login.mobile')).getByText(t('validation.mobile')).waitFor();
  await field(t('login.mobile')).fill('13811112205');
  await under(t('login.mobile')).waitFor({ state: 'detached' });
  await field(t('set_password.again')).fill('right1234');
  await under(t('set_password.again')).getByText(t('validation.confirmed')).waitFor();
  await field(t('set_password.password')).fill('right1234');
  await under(t('set_password.again')).waitFor({ state: 'detached' });
  await page.getByRole('checkbox').check();
  expect(await page.getByText(t('register.must_agree')).count()).toBe(0);
  await page.getByRole('checkbox').uncheck();
  await press(t('register.submit'));
  await page.getByText(t('register.must_agree')).waitFor();
  await under(t('login.sms_code')).waitFor();
});

it('how many codes are left stays beside what is wrong with the code', async () => {
  await page.goto(`${stage.product.url}/login?way=mobile`);
  await field(t('login.mobile')).fill('13811112206');
  await press(t('code.send'));
  await page.getByText(t('code.sent_sms', { left: 4 })).waitFor();
  await press(t('login.submit'));
  await under(t('login.sms_code')).getByText(t('code.required')).waitFor();
  expect(await page.getByText(t('code.sent_sms', { left: 4 })).isVisible()).toBe(true);
});

it('the wait belongs to the number, not to the page', async () => {
  await page.goto(`${stage.product.url}/login?way=mobile`);
  await field(t('login.mobile')).fill('13811112207');
  await press(t('code.send'));
  const waits = page.getByRole('button', { name: /Again in \d+ s/ });
  await waits.waitFor();
  await field(t('login.mobile')).fill('13811112208');
  await page.getByRole('button', { name: t('code.send') }).waitFor();
  await page.goto(`${stage.product.url}/register`);
  await field(t('login.mobile')).fill('13811112207');
  await waits.waitFor();
});
