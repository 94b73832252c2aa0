import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, texts } from './browser.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { until } from './until.ts';

interface Ports {
  ports: { port: string; up: boolean; uplink: boolean; vlan: number; poe: { watts: number | null } | null }[];
}

let fixture: Fixture;
let page: Page;
let serial: string;

const portsNow = () => fixture.owner.call<Ports>('/api/v3/switch/port/list', { serial });

beforeAll(async () => {
  fixture = await startFixture('ports', 3, 1);
  const { list } = await fixture.owner.call<{ list: { serial: string }[] }>('/api/v3/ap/list', {
    gwid: fixture.gwid,
    kind: 'switch',
  });
  serial = list[0]!.serial;
  await until('the switch has reported its ports', async () =>
    (await portsNow()).ports.some(({ poe }) => (poe?.watts ?? 0) > 0),
  );
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `switch ports ${task.name}`);
});
afterAll(() => fixture?.stop());

// others differ only in colours and texts
describe.each(looks.slice(0, 1))('in %s and %s', (language, theme) => {
  const t = texts(language);
  let errors: string[];
  const drawer = () => page.getByRole('dialog').first();
  const row = (port: string) => drawer().locator(`tr[data-port="${port}"]`);

  beforeAll(async () => {
    const { browser, product, owner, gwid } = fixture;
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
    await page.goto(`${product.url}/network/aps/${gwid}?device=${serial}`);
    await drawer()
      .getByRole('tab', { name: t('device.tab_ports'), exact: true })
      .click();
    await row('Ethernet0').waitFor();
  });
  afterAll(() => page?.context().close());

  it('shows link, power and the neighbour', async () => {
    await row('Ethernet0').getByText(t('ports.uplink'), { exact: true }).waitFor();
    await row('Ethernet0').getByText('10 G').waitFor();
    const { ports } = await portsNow();
    const powered = ports.find(({ poe }) => (poe?.watts ?? 0) > 0)!;
    await row(powered.port)
      .getByText(t('ports.watts', { n: powered.poe!.watts! }))
      .waitFor();
    await row(powered.port)
      .getByRole('button', { name: t('ports.details_of', { port: powered.port }) })
      .click();
    await drawer().getByText(t('ports.neighbour')).waitFor();
    await keepPicture(page, `switch ports ${language} ${theme}`);
    expect(await seriousIssues(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('sets a port after a preview', async () => {
    const { ports } = await portsNow();
    const { port } = ports.find(({ uplink, up }) => up && !uplink)!;
    const vlan = '30';
    await row(port).getByRole('checkbox').check();
    await drawer()
      .getByRole('button', { name: t('ports.set', { n: 1 }) })
      .click();
    const form = page.getByRole('dialog').last();
    await form.getByLabel(t('ports.untagged'), { exact: false }).first().fill(vlan);
    await form.getByLabel(t('ports.tagged')).selectOption('none');
    await keepPicture(page, `switch ports form ${language} ${theme}`);
    await form.getByRole('button', { name: t('ports.preview') }).click();
    await page.getByRole('dialog').last().getByText(t('wireless.effect_changed')).waitFor();
    await keepPicture(page, `switch ports preview ${language} ${theme}`);
    await page
      .getByRole('dialog')
      .last()
      .getByRole('button', { name: t('ports.push'), exact: true })
      .click();
    await until('the port is in its VLAN', async () =>
      (await portsNow()).ports.some((one) => one.port === port && one.vlan === Number(vlan)),
    );
  });
});
