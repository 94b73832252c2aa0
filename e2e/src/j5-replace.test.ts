// An operator replaces a broken router; portal and SD-WAN are left out.
import type { backup, gateway } from '@yunxun/contract';
import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, startBrowser, type Text, texts } from './browser.ts';
import { GatewayBox } from './gateway-box.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { until } from './until.ts';

/** Milliseconds to the restored router. */
const atMost = 15 * 60_000;
const four = { WAN1: 'eth0', WAN2: 'eth1', LAN1: 'eth2', LAN2: 'eth3' };
const two = { WAN1: 'eth0', LAN1: 'eth1' };
const none = { address: null, gateway: null, dns: [], down_mbps: null, up_mbps: null, probe: [] };
const settings: gateway.GatewaySettings = {
  confirm_s: 90,
  lines: [
    { ...none, name: 'WAN', port: 'WAN1', addressing: 'dynamic' },
    {
      ...none,
      name: 'Fibre',
      port: 'WAN2',
      addressing: 'static',
      address: '203.0.113.2/29',
      gateway: '203.0.113.1',
      dns: ['192.0.2.53'],
      down_mbps: 100,
    },
  ],
  networks: [
    {
      name: 'LAN',
      address: '10.1.0.1/24',
      vlan: null,
      ports: ['LAN1', 'LAN2'],
      tagged: [],
      pool: { first: '10.1.0.100', count: 50, lease_minutes: 60 },
      leases: [{ mac: '02:00:00:00:00:01', address: '10.1.0.20', note: 'Camera' }],
    },
  ],
  forwards: [{ note: 'Camera', protocol: 'tcp', port: '8080', address: '10.1.0.20', to_port: '80' }],
  routes: [{ to: '10.9.0.0/16', via: '10.1.0.9' }],
  limits: [{ name: 'Guests', kind: 'network', target: 'LAN', down_mbps: 50, up_mbps: null }],
  reboot: null,
};

let product: Product;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `j5 ${task.name}`);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

interface Got {
  version: number;
  settings: gateway.GatewaySettings;
  gates: string[];
}
interface Network {
  remark: string;
  tags: string[];
  sn: string;
  status: string;
  device_num: number;
}

describe.each([looks[0]!, looks.at(-1)!])('in %s and %s', (language, theme) => {
  const t: Text = texts(language);
  const [oldSerial, newSerial] = [
    `02000000e5${theme === 'light' ? '1' : '3'}0`,
    `02000000e5${theme === 'light' ? '2' : '4'}0`,
  ];
  const guest = `installer-${theme}@example.org`;
  let owner: Person;
  let gwid: string;
  let fleet: Fleet;
  let old: GatewayBox;
  let fresh: GatewayBox | null = null;
  let errors: string[];
  const dialog = () => page.getByRole('dialog');
  const rows = () => page.locator('tbody tr');
  const get = () => owner.call<Got>('/api/v3/network/gateway/get', { gwid });
  const network = () => owner.call<Network>('/api/v3/network/detail', { gwid });
  const logged = async (limit: number) =>
    (await owner.call<{ list: { action: string }[] }>('/api/v3/log/action/list', { page: 1, limit })).list.map(
      ({ action }) => action,
    );
  const restores = async () =>
    (await owner.call<{ list: { status: string }[] }>('/api/v3/cloud_backup/restore/list', { gwid })).list.map(
      ({ status }) => status,
    );
  const save = async (change: Partial<gateway.GatewaySettings>) => {
    const { version } = await get();
    await owner.call('/api/v3/network/gateway/save', { gwid, version, settings: { ...settings, ...change } });
    await until('the router runs it', async () => (await syncOf(oldSerial)) === 'in_sync');
  };
  const syncOf = async (serial: string) =>
    (await owner.call<{ state: string }>('/api/v3/device/config/get', { serial })).state;
  const act = async (name: string) => {
    await rows()
      .first()
      .getByRole('button', { name: t('action.more') })
      .click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };

  beforeAll(async () => {
    owner = await register(product, `owner-${theme}@example.org`);
    await register(product, guest);
    gwid = (await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' })).gwid;
    await owner.call('/api/v3/network/update', { gwid, remark: 'Shop', tags: ['Hotel'] });
    await owner.call('/api/v3/hosting/grant', { login: guest, permissions: ['network.read'], gwids: [gwid] });
    const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid };
    fleet = await startFleet({ ...place, aps: 2, seed: `j5 ${theme}`, speedUp: 20 });
    old = await GatewayBox.start(place, { serial: oldSerial, version: '0.1.0', offered: '0.1.0', ports: four });
    await until('the router is there', async () => (await get()).gates.length === 0);
    await save({});
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
  });
  afterAll(async () => {
    await page?.context().close();
    for (const box of [old, fresh]) box?.stop();
    fleet?.stop();
  });

  it('the router is replaced by a smaller one, and what it did is restored without a setting entered again', async () => {
    await page.goto(`${product.url}/config/router_cloud_backup?keyword=Shop`);
    await rows().getByText('Shop').waitFor();
    await act(t('backup.now'));
    await page.getByText(t('backup.made', { n: 1 })).waitFor();
    await save({ forwards: [], limits: [] });
    old.stop();
    await until('the router is offline', async () => (await network()).status !== 'online');

    const began = performance.now();
    await page.goto(`${product.url}/config/router_cloud_backup?keyword=Shop`);
    await act(t('backup.replace'));
    await dialog().getByText(t('backup.replace_none')).waitFor();
    const place = { consoleUrl: product.url, bindingCode: owner.bindingCode };
    fresh = await GatewayBox.start(place, { serial: newSerial, version: '0.1.0', offered: '0.1.0', ports: two });
    const by = dialog().getByLabel(t('backup.replace_by'), { exact: true });
    await by.selectOption(newSerial);
    await dialog()
      .getByText(t('backup.replace_ports', { ports: Object.keys(two).join(t('list.between')) }))
      .waitFor();
    await dialog()
      .getByText(t('backup.replace_leaves', { name: 'Linux-box' }))
      .waitFor();
    const which = dialog().getByLabel(t('backup.one'), { exact: true });
    const manual = which.locator('option', { hasText: t('backup.type_manual') });
    expect(await which.locator('option:checked').textContent()).toBe(t('backup.as_it_is'));
    await dialog()
      .getByRole('button', { name: t('backup.replace_next') })
      .click();
    await dialog()
      .getByLabel(t('backup.port_of', { port: 'WAN2' }))
      .waitFor();
    await dialog()
      .getByRole('button', { name: t('backup.back') })
      .click();
    await by.selectOption(newSerial);
    await expect.poll(() => manual.count()).toBe(2);
    await which.selectOption((await manual.last().getAttribute('value'))!);
    expect(await seriousIssues(page)).toEqual([]);
    await dialog()
      .getByRole('button', { name: t('backup.replace_next') })
      .click();

    const place2 = dialog().getByLabel(t('backup.port_of', { port: 'WAN2' }));
    await expect.poll(() => place2.inputValue()).toBe('—');
    await dialog()
      .getByText(t('backup.left_line_dropped', { name: 'Fibre', port: 'WAN2' }))
      .waitFor();
    await dialog()
      .getByText(t('backup.left_port_dropped', { name: 'LAN', port: 'LAN2' }))
      .waitFor();
    await dialog().getByText(t('backup.never_back')).click();
    await dialog().getByText(t('backup.left_firmware')).waitFor();
    await dialog()
      .getByText(t('backup.returns', { seconds: 90 }))
      .waitFor();
    expect(await network()).toMatchObject({ sn: oldSerial });
    await dialog()
      .getByLabel(t('backup.type_name_label', { name: 'Shop' }))
      .fill('Shop');
    expect(await seriousIssues(page)).toEqual([]);
    // the answer is lost: a retry continues
    const go = () => dialog().getByRole('button', { name: t('backup.replace_go') });
    await page.route(
      '**/api/v3/ap/replace',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await go().click();
    await page.getByText(t('error.unreachable')).waitFor();
    expect(errors.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
    expect(await network()).toMatchObject({ sn: newSerial });
    await go().click();
    await dialog().getByText(t('job_type.configuration')).first().waitFor();
    await until(
      'the new router runs it',
      async () => (await syncOf(newSerial)) === 'in_sync' && fresh?.running !== null,
    );
    expect(performance.now() - began).toBeLessThan(atMost);

    // only what missing ports carried differs
    expect((await get()).settings).toEqual({
      ...settings,
      lines: settings.lines.slice(0, 1),
      networks: [{ ...settings.networks[0]!, ports: ['LAN1'] }],
    });
    expect(JSON.stringify(fresh.running)).toContain('10.1.0.20');
    expect(await network()).toMatchObject({ remark: 'Shop', tags: ['Hotel'], sn: newSerial, device_num: 3 });
    const { list } = await owner.call<{ list: { gwids: string[] }[] }>('/api/v3/hosting/list', { page: 1, limit: 10 });
    expect(JSON.stringify(list)).toContain(gwid);
    expect((await logged(4)).filter((action) => /replace|delete|restore/.test(action))).toEqual([
      'backup.restore',
      'device.replace',
      'network.delete',
    ]);
  });

  it('a restore that cuts the router off is taken back by it, said so, and put back', async () => {
    const before = fresh!.running;
    const { list } = await owner.call<{ list: { id: string; type: backup.BackupType }[] }>(
      '/api/v3/cloud_backup/list',
      { gwid, page: 1, limit: 10 },
    );
    const other = list.find(({ type }) => type === 'manual')!;
    fresh!.cutOff = true;
    await page.goto(`${product.url}/config/router_cloud_backup?tab=backups&gwid=${gwid}&type=manual`);
    await expect.poll(() => rows().count()).toBeGreaterThan(0);
    expect(other).toBeDefined();
    await act(t('backup.restore'));
    await dialog()
      .getByLabel(t('backup.type_name_label', { name: 'Shop' }))
      .fill('Shop');
    await dialog()
      .getByRole('button', { name: t('backup.restore') })
      .click();
    await expect.poll(restores, { timeout: 120_000 }).toEqual(['rolled_back', 'succeeded']);
    expect(fresh!.running).toEqual(before);

    await page.goto(`${product.url}/config/router_cloud_backup?tab=restores&gwid=${gwid}`);
    await rows().first().getByText(t('job_status.rolled_back')).waitFor();
    await rows()
      .first()
      .getByRole('button', { name: t('backup.put_back') })
      .click();
    await dialog()
      .getByLabel(t('backup.type_name_label', { name: 'Shop' }))
      .fill('Shop');
    await dialog()
      .getByRole('button', { name: t('backup.restore') })
      .click();
    await expect.poll(async () => (await get()).settings.forwards, { timeout: 120_000 }).toEqual(settings.forwards);
    await until('what is meant is what it runs', async () => (await syncOf(newSerial)) === 'in_sync');
    expect(errors).toEqual([]);
  });

  it('unbinding lists the five things that go with it', async () => {
    await page.goto(`${product.url}/networks?keyword=Shop`);
    await rows().getByText('Shop').waitFor();
    await act(t('networks.unbind'));
    const five = ['backup', 'alarm', 'hosting', 'open', 'value'] as const;
    for (const part of five)
      await dialog()
        .getByText(t(`networks.unbind_${part}`), { exact: true })
        .waitFor();
  });
});
