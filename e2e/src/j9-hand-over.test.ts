// An owner hands networks to an integrator, and invites a colleague.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, type Text, texts, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { settled } from './screens.ts';

/** Milliseconds until a page leaves after its access ended. */
const leavesWithin = 5000;
const handed = 12;

let product: Product;
let browser: Browser;
const visits: Visit[] = [];
let people = 0;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
});
afterEach(async ({ task }) => {
  for (const [at, visit] of visits.splice(0).entries()) {
    if (task.result?.state === 'fail') await keepPicture(visit.page, `j9 ${task.name} ${at}`);
    await visit.context.close();
  }
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const callFrom = (page: Page, path: string, input: object, account: string) =>
  page.evaluate(
    async ([to, body, acting]) => {
      const token = /yunxun_token=([^;]+)/.exec(document.cookie)![1]!;
      const response = await fetch(to, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, account: acting, 'content-type': 'application/json' },
        body,
      });
      return (await response.json()) as { code: number; data: unknown };
    },
    [path, JSON.stringify(input), account] as const,
  );

const pad = (n: number) => String(n).padStart(2, '0');
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const tick = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true }).check();

async function switchTo(page: Page, t: Text, name: string): Promise<void> {
  await page.locator('.switcher').click();
  await page.getByRole('menuitemradio', { name: t('switcher.hosted', { name }) }).click();
  await page.locator('.switcher-away', { hasText: name }).waitFor();
}

async function inOrder(page: Page): Promise<void> {
  await settled(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  const header = await page.locator('.header').evaluate((bar) => bar.scrollWidth - bar.clientWidth);
  expect(header).toBeLessThanOrEqual(0);
  expect(await seriousIssues(page)).toEqual([]);
}

describe.each([
  ['zh-CN', 'light'],
  ['en', 'dark'],
] as const)('J9 in %s, %s', (language, theme) => {
  const t = texts(language);
  // unique people per attempt
  const someone = (name: string): Promise<Person> => {
    people += 1;
    return register(product, `${name}${people}.${language}@example.org`.toLowerCase());
  };
  const openAs = async (person: Person): Promise<Page> => {
    // minimum supported width
    const visit = await openPage(browser, product.url, language, theme, { token: person.token, width: 1280 });
    visits.push(visit);
    return visit.page;
  };

  it('hands networks to an integrator, and takes them back', async () => {
    const owner = await someone('owner');
    const integrator = await someone('integrator');
    const gwids: string[] = [];
    for (let n = 1; n <= handed + 1; n += 1) {
      gwids.push((await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: `Shop-${pad(n)}` })).gwid);
    }
    const { account_id: account } = await owner.call<{ account_id: string }>('/api/v3/account/detail', {});

    const theirs = await openAs(integrator);
    await theirs.goto(`${product.url}/networks`);
    await theirs.getByRole('heading', { name: t('home.networks') }).waitFor();
    expect(await theirs.locator('.switcher').count()).toBe(0);

    // 1. the owner delegates twelve networks
    const mine = await openAs(owner);
    await mine.goto(`${product.url}/account?tab=given`);
    await mine.getByRole('button', { name: t('hosting.grant') }).click();
    await mine.getByLabel(t('hosting.login')).fill(integrator.email);
    for (let n = 1; n <= handed; n += 1) await tick(mine, `Shop-${pad(n)}`);
    for (const permission of ['network.write', 'network.reboot', 'config.write'] as const) {
      await tick(mine, t(`permission.${permission}`));
    }
    await mine
      .getByRole('dialog')
      .getByRole('button', { name: t('hosting.grant') })
      .click();
    await rowOf(mine, integrator.email).getByText('Shop-01').waitFor();
    await inOrder(mine);

    // 2. it appears at the integrator, who switches and renames
    await switchTo(theirs, t, owner.email);
    await theirs.goto(`${product.url}/networks?limit=50`);
    await rowOf(theirs, 'Shop-12').waitFor();
    expect(await rowOf(theirs, 'Shop-').count()).toBe(handed);
    await inOrder(theirs);
    const line = rowOf(theirs, 'Shop-07');
    await line.hover();
    await line.getByRole('button', { name: new RegExp(`^${t('action.edit')} ·`) }).click();
    await theirs.locator('.edit-cell input').fill('Shop-07-North');
    await theirs.keyboard.press('Enter');
    await rowOf(theirs, 'Shop-07-North').waitFor();

    // 3. the owner's log names the operator
    await mine.goto(`${product.url}/logs/action`);
    const entry = rowOf(mine, t('log_action.network.update')).filter({ hasText: integrator.email });
    await entry.getByText(t('log.hosted'), { exact: true }).waitFor();
    await entry.click();
    const detail = mine.getByRole('dialog');
    await detail.getByText('Shop-07', { exact: true }).first().waitFor();
    await detail.getByText('Shop-07-North', { exact: true }).first().waitFor();

    // 4. no permission: no menu, screen or call
    await theirs.goto(`${product.url}/network/${gwids[0]}`);
    await theirs.getByRole('heading', { name: 'Shop-01' }).waitFor();
    await theirs
      .locator('.page-head')
      .getByRole('button', { name: t('action.more') })
      .click();
    const restart = new RegExp(`^${t('networks.reboot')}\\s*${t('networks.offline_why')}$`);
    await theirs.getByRole('menuitem', { name: restart }).waitFor();
    for (const absent of ['networks.unbind', 'networks.delete'] as const) {
      expect(await theirs.getByRole('menuitem', { name: t(absent) }).count()).toBe(0);
    }
    for (const [path, permission] of [
      ['/account', 'account.read'],
      ['/logs/action', 'log.read'],
    ] as const) {
      await theirs.goto(product.url + path);
      await theirs.getByText(t('forbidden.permission', { permission: t(`permission.${permission}`) })).waitFor();
      const names = t('forbidden.grantor', { name: owner.email, role: t('role.owner') });
      await theirs.getByText(t('forbidden.who', { names })).waitFor();
      await inOrder(theirs);
    }
    for (const [path, input, permission] of [
      ['/api/v3/network/unbind', { gwid: gwids[0] }, 'network.bind'],
      ['/api/v3/network/delete', { gwid: gwids[0] }, 'network.bind'],
      ['/api/v3/account/member/list', {}, 'account.read'],
    ] as const) {
      const refused = { permission, reason: 'permission' };
      expect(await callFrom(theirs, path, input, account)).toMatchObject({ code: 4101, data: refused });
    }
    const other = await callFrom(theirs, '/api/v3/network/update', { gwid: gwids[handed], remark: 'X' }, account);
    expect(other.code).toBe(4113);

    await mine.goto(`${product.url}/account?tab=given`);
    await mine.getByRole('button', { name: t('hosting.acts', { name: integrator.email }) }).click();
    await mine.getByRole('menuitem', { name: t('member.view_as') }).click();
    await mine.getByText(t('viewing.banner', { name: integrator.email })).waitFor();
    await mine.goto(`${product.url}/network/${gwids[1]}`);
    await mine.getByRole('heading', { name: 'Shop-02' }).waitFor();
    await settled(mine);
    expect(await mine.getByRole('button', { name: t('networks.reboot') }).count()).toBe(0);
    await mine.goto(`${product.url}/security`);
    await mine.getByText(t('forbidden.viewing')).waitFor();
    await inOrder(mine);
    await mine.getByRole('button', { name: t('viewing.end') }).click();
    await mine.getByRole('button', { name: t('invitation.invite') }).waitFor();

    // 5. the owner revokes: the page leaves and says why
    await theirs.goto(`${product.url}/network/${gwids[1]}`);
    await theirs.getByRole('heading', { name: 'Shop-02' }).waitFor();
    await mine.goto(`${product.url}/account?tab=given`);
    await mine.getByRole('button', { name: t('hosting.acts', { name: integrator.email }) }).click();
    await mine.getByRole('menuitem', { name: t('hosting.revoke') }).click();
    await mine
      .getByRole('dialog')
      .getByRole('button', { name: t('hosting.revoke') })
      .click();
    await mine.getByText(t('hosting.never_body')).waitFor();
    await theirs.getByText(t('left.gone', { name: owner.email })).waitFor({ timeout: leavesWithin });
    expect(await theirs.getByText('Shop-').count()).toBe(0);
    expect(new URL(theirs.url()).pathname).toBe('/');
    await inOrder(theirs);
    expect((await callFrom(theirs, '/api/v3/network/list', {}, account)).code).toBe(4113);
    await theirs.getByRole('button', { name: t('action.close') }).click();
    await theirs.reload();
    // nothing is left, so home guides to the first device
    await theirs.getByRole('heading', { name: t('overview.start') }).waitFor();
    expect(await theirs.locator('.switcher').count()).toBe(0);
    // expected refusals
    for (const { errors } of visits) expect(errors).toEqual([]);
  });

  it('invites a colleague by a shown link: the role limits the view, and removal ends it', async () => {
    const owner = await someone('boss');
    const colleague = await someone('colleague');
    await owner.call('/api/v3/network/create', { remark: 'Office' });

    const mine = await openAs(owner);
    await mine.goto(`${product.url}/account`);
    await mine.getByRole('button', { name: t('invitation.invite') }).click();
    await mine.getByLabel(t('invitation.login')).fill(colleague.email);
    await mine.getByRole('dialog').getByLabel(t('role.auditor')).check();
    await mine.getByRole('dialog').getByLabel(t('pick.all')).check({ force: true });
    await mine
      .getByRole('dialog')
      .getByRole('button', { name: t('invitation.send') })
      .click();
    // no mail provider: the dialog shows the link
    await mine.getByText(t('invitation.unsent', { login: colleague.email })).waitFor();
    const link = (await mine.locator('.copy-code').innerText()).trim();
    expect(link).toBe(product.link(colleague.email));

    const theirs = await openAs(colleague);
    await theirs.goto(link);
    await theirs.getByRole('heading', { name: t('invited.title', { account: owner.email }) }).waitFor();
    await settled(theirs);
    expect(await seriousIssues(theirs)).toEqual([]);
    await theirs.getByRole('button', { name: t('invited.accept') }).click();
    await theirs.locator('.switcher-away', { hasText: owner.email }).waitFor();
    await theirs.goto(`${product.url}/account`);
    await rowOf(theirs, colleague.email).getByText(t('role.auditor'), { exact: true }).waitFor();
    expect(await theirs.getByRole('button', { name: t('invitation.invite') }).count()).toBe(0);
    await theirs.goto(link);
    await theirs.getByText(t('invited.used')).waitFor();

    await mine.goto(`${product.url}/account`);
    await mine.getByRole('button', { name: t('member.acts', { name: colleague.email }) }).click();
    await mine.getByRole('menuitem', { name: t('member.view_as') }).click();
    await mine.getByText(t('viewing.banner', { name: colleague.email })).waitFor();
    await mine.goto(`${product.url}/networks`);
    await rowOf(mine, 'Office').waitFor();
    await inOrder(mine);
    expect(await mine.getByRole('button', { name: t('networks.create') }).count()).toBe(0);
    await mine.getByRole('button', { name: t('viewing.end') }).click();
    await mine.getByRole('button', { name: t('invitation.invite') }).waitFor();
    expect(await mine.getByText(t('viewing.banner', { name: colleague.email })).count()).toBe(0);

    await theirs.goto(`${product.url}/logs/action`);
    await theirs.getByRole('heading', { name: t('messages.log_action') }).waitFor();
    await mine.getByRole('button', { name: t('member.acts', { name: colleague.email }) }).click();
    await mine.getByRole('menuitem', { name: t('member.edit') }).click();
    await mine
      .getByRole('dialog')
      .getByRole('radio', { name: new RegExp(`^${t('role.billing')}`) })
      .check();
    await mine
      .getByRole('dialog')
      .getByRole('button', { name: t('action.save') })
      .click();
    const missing = t('forbidden.permission', { permission: t('permission.log.read') });
    await theirs.getByText(missing).waitFor({ timeout: leavesWithin });

    await mine.getByRole('button', { name: t('member.acts', { name: colleague.email }) }).click();
    await mine.getByRole('menuitem', { name: t('member.remove') }).click();
    await mine
      .getByRole('dialog')
      .getByRole('button', { name: t('member.remove') })
      .click();
    await theirs.getByText(t('left.gone', { name: owner.email })).waitFor({ timeout: leavesWithin });
    for (const { errors } of visits) expect(errors).toEqual([]);
  });
});
