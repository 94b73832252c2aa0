// An operator upgrades the firmware of many devices.
import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { fillMoment, keepPicture, openPage, seriousIssues, startBrowser, texts } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { until } from './until.ts';

const version = 'openwrt-v9.9.9';
const counts = { all: 120, current: 2, networks: 12, bad: 12, canaries: 3 };
const [goodModel, badModel] = ['Simulated AP AX3000', 'Simulated AP AX1800'];
/** Seconds; devices restart at twenty times the real speed. */
const timeout = 700;
/** Seconds after which a wait is logged. */
const unusual = 200;
const atMost = 3 * timeout * 1000;

const t = texts('en');
let product: Product;
let browser: Browser;
let owner: Person;
let fleet: Fleet;
let page: Page;
let errors: string[];
const gwids: string[] = [];

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  const ssid = {
    name: 'Harbour',
    enabled: true,
    security: 'open',
    bands: ['5G'],
    vlan: null,
    isolate: false,
    hidden: false,
    maximum_clients: null,
    down_mbps: null,
    up_mbps: null,
  };
  for (let at = 1; at <= counts.networks; at += 1) {
    const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: `Site-${at}` });
    await owner.call('/api/v3/network/wireless/save', { gwid, version: 0, ssids: [ssid], radios: [] });
    gwids.push(gwid);
  }
  fleet = await startFleet({
    consoleUrl: product.url,
    bindingCode: owner.bindingCode,
    gwid: gwids[0]!,
    aps: counts.all,
    models: [...Array(5).fill('AX3000' as const), 'AX1800' as const],
    crowd: 0,
    seed: 'j7',
    speedUp: 20,
    async enrolled(devices) {
      for (const device of devices.slice(0, counts.current)) device.box.firmware = `OpenLAN ${version}`;
      const share = counts.all / counts.networks;
      for (const [at, gwid] of gwids.entries()) {
        const serials = devices.slice(at * share, (at + 1) * share).map(({ serial }) => serial);
        if (at > 0) await owner.call('/api/v3/ap/move', { serials, gwid });
      }
    },
  });
  await fleet.online();
  ({ page, errors } = await openPage(browser, product.url, 'en', 'light', { token: owner.token }));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `j7 ${task.name}`);
});
afterAll(async () => {
  await page?.context().close();
  fleet?.stop();
  await browser?.close();
  await product?.stop();
});

interface Job {
  id: string;
  status: string;
  items: {
    serial: string;
    status: string;
    reason: string | null;
    started_at: string | null;
    finished_at: string | null;
  }[];
}
const rows = () => page.locator('tbody tr');
const dialog = () => page.getByRole('dialog');
const images = () => page.goto(`${product.url}/logs/upgrade?tab=images`);
/** Polls: the page may not have started it. */
const lastJob = async (type = 'firmware'): Promise<Job> => {
  const { list } = await owner.call<{ list: { id: string; type: string }[] }>('/api/v3/job/list', {
    automatic: false,
    limit: 50,
  });
  const found = list.find((job) => job.type === type);
  if (!found) return { id: '', status: 'none', items: [] };
  return { id: found.id, ...(await owner.call<Omit<Job, 'id'>>('/api/v3/job/detail', { job_id: found.id })) };
};
const withStatus = ({ items }: Pick<Job, 'items'>, ...wanted: string[]) =>
  items.filter(({ status }) => wanted.includes(status));
const modelOf = (serial: string) => fleet.device(serial).box.hardware.model;

const openPlan = async () => {
  await images();
  await rows()
    .first()
    .getByRole('button', { name: t('action.more') })
    .click();
  await page.getByRole('menuitem', { name: t('firmware.upgrade') }).click();
  await dialog().getByLabel(t('firmware.first')).fill(String(counts.canaries));
  await dialog().getByLabel(t('firmware.percent')).fill('20');
  await dialog().getByLabel(t('firmware.rest')).fill('0');
  await dialog().getByLabel(t('firmware.stop')).fill('5');
};
const begin = (n: number) =>
  dialog()
    .getByRole('button', { name: t('firmware.upgrade_n', { n }) })
    .click();

const untilPlan = async (what: string, when: (job: Job) => boolean) => {
  const began = Date.now();
  await until(what, async () => when(await lastJob()), timeout);
  const seconds = Math.round((Date.now() - began) / 1000);
  if (seconds < unusual) return;
  const turns = (await lastJob()).items.map(({ serial, status, started_at, finished_at }) =>
    [serial, status, started_at?.slice(11, 19), finished_at?.slice(11, 19)].join(' '),
  );
  console.warn(`${what}: after ${seconds} s\n${turns.join('\n')}`);
};

it('an image is uploaded and held to its checksum', async () => {
  await images();
  await page
    .getByRole('button', { name: t('firmware.add') })
    .first()
    .click();
  const file = {
    name: `${version}-sysupgrade.bin`,
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(1_500_000, 7),
  };
  await dialog().getByLabel(t('firmware.file'), { exact: true }).setInputFiles(file);
  await dialog().getByLabel(t('firmware.version'), { exact: true }).fill(version);
  const boxes = dialog().locator('.pick-list input[type=checkbox]');
  await expect.poll(() => boxes.count()).toBe(2);
  for (const box of await boxes.all()) await box.check();
  await dialog().getByLabel(t('firmware.sha256'), { exact: true }).fill('a'.repeat(64));
  await dialog()
    .getByRole('button', { name: t('firmware.add') })
    .click();
  await dialog().getByText('The file’s checksum differs from the given one').waitFor();
  await dialog().getByLabel(t('firmware.sha256'), { exact: true }).fill('');
  expect(await seriousIssues(page)).toEqual([]);
  await dialog()
    .getByRole('button', { name: t('firmware.add') })
    .click();
  await rows().getByText(version).waitFor();
});

it(
  'a plan for all that do not run it, at a time, stops at its first wave and harms no more than that',
  async () => {
    for (const { box, serial } of fleet.devices)
      if (box.hardware.model === badModel) fleet.device(serial).fault('fail-upgrade', { how: 'return', times: 9 });
    const left = counts.all - counts.current;
    await openPlan();
    await dialog()
      .getByText(t('firmware.devices_n', { n: left, all: left }))
      .waitFor();
    await dialog().getByText(t('firmware.begin_at'), { exact: true }).click();
    // no seconds in the field: the next minute
    const next = new Date(Math.ceil((Date.now() + 5000) / 60_000) * 60_000);
    const local = next.toLocaleString('sv', { timeZone: 'Asia/Shanghai' }).slice(0, 16).replace(' ', 'T');
    await fillMoment(dialog(), t, t('firmware.begin_time'), local);
    await dialog()
      .getByText(t('firmware.wave', { n: 1 }), { exact: true })
      .first()
      .waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await begin(left);
    await untilPlan('the plan has stopped', ({ status }) => status === 'partial');
    expect(Date.now()).toBeGreaterThanOrEqual(next.getTime());
    const stopped = await lastJob();
    const harmed = withStatus(stopped, 'failed');
    expect(harmed.map(({ serial }) => modelOf(serial))).toEqual([badModel]);
    expect(withStatus(stopped, 'succeeded').map(({ serial }) => modelOf(serial))).toEqual([goodModel, goodModel]);
    expect(withStatus(stopped, 'cancelled')).toHaveLength(left - counts.canaries);
    const changed = fleet.status().filter(({ firmware }) => firmware.includes(version));
    expect(changed).toHaveLength(counts.current + 2);
  },
  atMost,
);

it(
  'without the model that failed it goes on, over a restart of the server too, and every device ends in a definite state',
  async () => {
    const others = counts.all - counts.bad - counts.current - 2;
    const { id: stopped } = await lastJob();
    await openPlan();
    await dialog()
      .getByLabel(t('firmware.model_n', { model: badModel, n: counts.bad }))
      .uncheck();
    await begin(others);
    await until('it is begun', async () => (await lastJob()).id !== stopped);
    await untilPlan('a wave is over', (job) => withStatus(job, 'succeeded').length > counts.canaries);
    await product.restart();
    await untilPlan('the others are upgraded', ({ status }) => status === 'succeeded');
    const done = await lastJob();
    expect(done.items).toHaveLength(others);
    expect(withStatus(done, 'succeeded')).toHaveLength(others);
    const running = fleet.status().filter(({ firmware }) => firmware.includes(version));
    expect(running).toHaveLength(counts.all - counts.bad);
    expect(running.map(({ serial }) => modelOf(serial))).not.toContain(badModel);
  },
  atMost,
);

it('the report and the log say the same, and each network was backed up before', async () => {
  const { id } = await lastJob();
  await page.goto(`${product.url}/logs/upgrade?result=failed`);
  await rows().first().getByText(t('firmware.trigger_plan')).waitFor();
  expect(await rows().count()).toBe(1);
  const listed = (filter: object) =>
    owner.call<{ total: number; list: { job_id: string }[] }>('/api/v3/log/upgrade/list', {
      action: 'upgrade',
      page: 1,
      limit: 100,
      ...filter,
    });
  const upgraded = await listed({ result: 'success', keyword: undefined });
  expect(upgraded.total).toBe(counts.all - counts.bad - counts.current);
  expect(upgraded.list.filter(({ job_id }) => job_id === id).length).toBeGreaterThan(90);
  await page.goto(`${product.url}/logs/upgrade?result=success&action=upgrade`);
  await rows()
    .first()
    .getByText(`→ OpenLAN ${version}`)
    .or(rows().first().getByText(`→ ${version}`))
    .waitFor();
  await rows().first().click();
  const n = counts.all - counts.bad - counts.current - 2;
  await dialog().getByText(String(n)).first().waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  for (const gwid of gwids) {
    const { total } = await owner.call<{ total: number }>('/api/v3/cloud_backup/list', { gwid, type: 'pre_upgrade' });
    expect(total).toBeGreaterThan(0);
  }
  // the rejected checksum, and the restart of the server
  expect(errors.filter((line) => !/422|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|50[234]/.test(line))).toEqual([]);
});

it(
  'the list of access points upgrades what is selected, to an image that is for it, and says who is left out and why',
  async () => {
    const site = counts.all / counts.networks;
    const left = (at: number) =>
      fleet.devices
        .slice(at * site, (at + 1) * site)
        .flatMap(({ serial }) => (modelOf(serial) === badModel ? serial : []));
    const mixed = gwids.findIndex((_, at) => left(at).length > 0 && left(at).length < site);
    const bad = left(mixed);
    for (const serial of bad) fleet.device(serial).fault('fail-upgrade', { times: 0 });
    await page.goto(`${product.url}/network/aps/${gwids[mixed]}`);
    await page.locator('tbody input[type=checkbox]').first().waitFor();
    await page.getByLabel(t('table.select_page')).check();
    await page
      .locator('.toolbar')
      .getByRole('button', { name: t('device.firmware'), exact: true })
      .click();
    await dialog()
      .getByText(t('firmware.devices_n', { n: bad.length, all: bad.length }))
      .waitFor();
    await dialog()
      .getByText(t('firmware.left_current', { n: site - bad.length }))
      .waitFor();
    expect(await dialog().getByLabel(t('firmware.image'), { exact: true }).inputValue()).not.toBe('');
    expect(await seriousIssues(page)).toEqual([]);
    const { id: before } = await lastJob();
    await begin(bad.length);
    await until('it is begun', async () => (await lastJob()).id !== before);
    await until('they are upgraded', async () => (await lastJob()).status === 'succeeded', timeout);
    expect((await lastJob()).items.map(({ serial }) => serial).toSorted()).toEqual(bad.toSorted());
    await page.goto(`${product.url}/network/aps/${gwids[mixed]}`);
    await rows()
      .first()
      .getByRole('button', { name: t('action.more') })
      .click();
    await page.getByRole('menuitem', { name: t('device.firmware') }).click();
    await dialog()
      .getByText(t('firmware.left_current', { n: 1 }))
      .waitFor();
    await dialog().getByText(t('firmware.nobody_left')).waitFor();
  },
  atMost,
);

it(
  'devices of a network restart in waves, and the log says that a plan did it',
  async () => {
    await page.goto(`${product.url}/logs/upgrade`);
    await page
      .getByRole('button', { name: t('firmware.restart') })
      .first()
      .click();
    await dialog().getByLabel('Site-2', { exact: true }).check();
    const restarting = (n: number) => dialog().getByText(t('firmware.restart_devices', { n }), { exact: true });
    const accessPoints = dialog().getByLabel(t('firmware.kind_ap'), { exact: true });
    await restarting(counts.all / counts.networks).waitFor();
    await accessPoints.uncheck();
    await dialog()
      .getByRole('button', { name: t('firmware.restart'), exact: true })
      .click();
    await dialog().getByText(t('firmware.kinds_none')).waitFor();
    await accessPoints.check();
    await dialog().getByLabel(t('firmware.percent')).fill('100');
    await dialog().getByLabel(t('firmware.rest')).fill('0');
    await dialog()
      .getByRole('button', { name: t('firmware.restart'), exact: true })
      .click();
    const jobs = async () =>
      (await owner.call<{ list: { type: string }[] }>('/api/v3/job/list', { automatic: false })).list;
    await expect.poll(async () => (await jobs())[0]!.type).toBe('reboot');
    await until('they have restarted', async () => (await lastJob('reboot')).status === 'succeeded', timeout);
    const { total } = await owner.call<{ total: number }>('/api/v3/log/upgrade/list', {
      gwid: gwids[1],
      action: 'restart',
      trigger: 'plan',
      page: 1,
      limit: 10,
    });
    expect(total).toBe(counts.all / counts.networks);
  },
  atMost,
);
